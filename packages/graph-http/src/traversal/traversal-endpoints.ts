import { PathValue } from "@trefoil/graph-engine";
import {
  fullPathRepresentation,
  nodeRepresentation,
  pathRepresentation,
  relationshipRepresentation,
  type RepresentationContext,
} from "../formats/representation.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { idOf } from "../rest/entity-id.ts";
import { representationContext, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { nodeMissing, PlainError } from "../rest/rest-error.ts";
import { readMap } from "../rest/rest-input.ts";
import { type Branch, pathOf } from "./branch.ts";
import { cooperatively } from "./cooperatively.ts";
import { readTraversal } from "./traversal-description.ts";
import { traverse } from "./traverse.ts";

/** Traversals (graph-http §7). */
export const TRAVERSAL_ROUTES: readonly RestRoute[] = [
  { method: "POST", path: "/db/data/node/:id/traverse/:returnType", handle: runTraversal },
];

async function runTraversal(call: RestCall): Promise<RestAnswer> {
  const represent = representerOf(call);
  const traversal = traverse(readTraversal(traversalStart(call), readMap(call), call));
  const context = representationContext(call);
  const value: JsonValue[] = [];
  for await (const branch of cooperatively(traversal, call.signal)) {
    const representation = branch === undefined ? undefined : represent(branch, context);
    if (representation !== undefined) {
      value.push(representation);
    }
  }
  return { status: 200, representation: { type: "list", shape: "list", value } };
}

export function traversalStart(call: RestCall): number {
  const node = idOf(call.parameters["id"]);
  if (!call.unit.view.nodeExists(node)) {
    throw nodeMissing(404, node);
  }
  return node;
}

/** What of a place is returned; undefined where there is nothing to return (the start has no relationship). */
export type Representer = (branch: Branch, context: RepresentationContext) => JsonValue | undefined;

/** @throws PlainError 404 for a return type that there is not */
export function representerOf(call: RestCall): Representer {
  const returnType = call.parameters["returnType"] ?? "";
  const representer = Object.hasOwn(REPRESENTERS, returnType) ? REPRESENTERS[returnType] : undefined;
  if (representer === undefined) {
    throw new PlainError(404, "");
  }
  return representer;
}

const REPRESENTERS: Readonly<Record<string, Representer>> = {
  node: (branch, context) => nodeRepresentation(branch.node, context),
  relationship: (branch, context) =>
    branch.relationship === -1 ? undefined : relationshipRepresentation(branch.relationship, context),
  path: (branch, context) => pathRepresentation(pathValue(branch), context),
  fullpath: (branch, context) => fullPathRepresentation(pathValue(branch), context),
};

function pathValue(branch: Branch): PathValue {
  const { nodes, relationships } = pathOf(branch);
  return new PathValue(nodes, relationships);
}
