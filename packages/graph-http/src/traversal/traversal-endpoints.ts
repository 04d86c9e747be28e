import { PathValue } from "@trefoil/graph-engine";
import {
  fullPathRepresentation,
  nodeRepresentation,
  pathRepresentation,
  relationshipRepresentation,
  type RepresentationContext,
} from "../formats/representation.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { listAnswer } from "../rest/list-answer.ts";
import { type Representation } from "../rest/representation-format.ts";
import { representationContext, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { PlainError } from "../rest/rest-error.ts";
import { type Branch, pathOf } from "./branch.ts";
import { OpenTraversal } from "./open-traversal.ts";

export interface TraversalServices {
  /** Whether traversals may carry scripts (`graph.scripting`). */
  readonly scripting: boolean;
}

/** Traversals (graph-http §7). */
export function traversalRoutes(services: TraversalServices): readonly RestRoute[] {
  return [
    {
      method: "POST",
      path: "/db/data/node/:id/traverse/:returnType",
      handle: (call) => runTraversal(call, services),
    },
  ];
}

async function runTraversal(call: RestCall, { scripting }: TraversalServices): Promise<RestAnswer> {
  const represent = representerOf(call);
  const traversal = await OpenTraversal.open(call, scripting);
  return listAnswer(call, listKind(call), representedPlaces(traversal, call, represent));
}

async function* representedPlaces(
  traversal: OpenTraversal,
  call: RestCall,
  represent: Representer,
): AsyncGenerator<JsonValue, void, undefined> {
  try {
    const context = representationContext(call);
    for await (const branch of traversal.places(call)) {
      const representation = branch === undefined ? undefined : represent(branch, context);
      if (representation !== undefined) {
        yield representation;
      }
    }
  } finally {
    traversal.close();
  }
}

/** Nodes and relationships have pages of their own; paths have none. */
export function listKind(call: RestCall): Pick<Representation, "type" | "shape"> {
  const { returnType } = call.parameters;
  const isEntity = returnType === "node" || returnType === "relationship";
  return { type: isEntity ? `${returnType}s` : "paths", shape: isEntity ? "entities" : "list" };
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
