import { type Direction, type PropertyValue } from "@trefoil/graph-store";
import { relationshipRepresentation } from "../formats/representation.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { endNodeId } from "./end-node.ts";
import { acceptsJson } from "../protocol/accept.ts";
import { writeJson } from "../json/json-writer.ts";
import { nodeOf, relationshipOf } from "./entity-id.ts";
import { propertiesFrom } from "./property-input.ts";
import {
  dataUrlOf,
  NO_CONTENT,
  representationContext,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  wantsOnlyUsed,
} from "./rest-call.ts";
import { badInput, nodeNotFoundChain, PlainError, RestError } from "./rest-error.ts";
import { castMessage, isMap, readMap } from "./rest-input.ts";

/** Relationships (graph-http §7). */
export const RELATIONSHIP_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: "/db/data/relationship/types", handle: listTypes },
  { method: "GET", path: "/db/data/relationship/:id", handle: getRelationship },
  { method: "DELETE", path: "/db/data/relationship/:id", handle: deleteRelationship },
  { method: "POST", path: "/db/data/node/:id/relationships", handle: createRelationship },
  { method: "GET", path: "/db/data/node/:id/relationships/:direction", handle: listRelationships },
  { method: "GET", path: "/db/data/node/:id/relationships/:direction/:types", handle: listRelationships },
  { method: "GET", path: "/db/data/node/:id/degree/:direction", handle: getDegree },
  { method: "GET", path: "/db/data/node/:id/degree/:direction/:types", handle: getDegree },
];

async function createRelationship(call: RestCall): Promise<RestAnswer> {
  const { start, end, type, properties } = await readRelationship(call);
  return relationshipAnswer(201, addRelationship(call, start, type, end, properties), call);
}

async function readRelationship(call: RestCall): Promise<{
  readonly start: number;
  readonly end: number;
  readonly type: string;
  readonly properties: ReadonlyMap<string, PropertyValue>;
}> {
  const input = readMap(call);
  const end = endNodeId(input);
  const type = input.get("type");
  const data = input.get("data") ?? new Map();
  if (!isMap(data)) {
    throw badInput({ exception: "ClassCastException", message: castMessage(data, "java.util.Map") });
  }
  const start = Number(call.parameters["id"]);
  await requireNode(call, start, 404, "StartNodeNotFoundException");
  await requireNode(call, end, 400, "EndNodeNotFoundException");
  const properties = propertiesFrom(data, call.body);
  if (typeof type !== "string" || type === "") {
    throw badInput({
      exception: "IllegalArgumentException",
      message: "A relationship needs a type, which is a string that is not empty.",
    });
  }
  return { start, end, type, properties };
}

/** Creates a relationship between two nodes that are locked. */
export function addRelationship(
  call: RestCall,
  start: number,
  type: string,
  end: number,
  properties: ReadonlyMap<string, PropertyValue>,
): number {
  const { unit } = call;
  const { transaction } = unit;
  const relationship = transaction.createRelationship(start, transaction.relationshipTypeId(type), end);
  for (const [name, value] of properties) {
    transaction.setRelationshipProperty(relationship, transaction.propertyKeyId(name), value);
  }
  unit.refresh();
  return relationship;
}

async function requireNode(
  { unit }: RestCall,
  node: number,
  status: number,
  exception: "StartNodeNotFoundException" | "EndNodeNotFoundException",
): Promise<void> {
  if (unit.view.nodeExists(node)) {
    await unit.lockNode(node);
  }
  if (!unit.view.nodeExists(node)) {
    const [cause, ...more] = nodeNotFoundChain(node);
    const message = `org.neo4j.server.rest.web.NodeNotFoundException: ${cause.message}`;
    throw new RestError(status, [{ exception, message }, cause, ...more]);
  }
}

function getRelationship(call: RestCall): RestAnswer {
  return relationshipAnswer(200, relationshipOf(call), call);
}

async function deleteRelationship(call: RestCall): Promise<RestAnswer> {
  await call.unit.lockRelationship(relationshipOf(call));
  call.unit.transaction.deleteRelationship(relationshipOf(call));
  return NO_CONTENT;
}

function listRelationships(call: RestCall): RestAnswer {
  const context = representationContext(call);
  const value = relationshipsOf(call).map((relationship) => relationshipRepresentation(relationship, context));
  return { status: 200, representation: { type: "relationships", shape: "entities", value } };
}

function getDegree(call: RestCall): RestAnswer {
  const types = typesOf(call);
  const direction = directionOf(call);
  const node = nodeOf(call);
  // Names that were never used have no id, and no relationships; none at all means any.
  const value = types?.length === 0 ? 0 : call.unit.view.degree(node, direction, types ?? []);
  return { status: 200, representation: { type: "integer", shape: "scalar", value } };
}

function relationshipsOf(call: RestCall): number[] {
  const types = typesOf(call);
  const direction = directionOf(call);
  const node = nodeOf(call);
  if (types?.length === 0) {
    return [];
  }
  const buffer = { relationships: new Int32Array(16), neighbours: new Int32Array(16) };
  const count = call.unit.view.expand(node, direction, types ?? [], buffer);
  // The youngest first, as in the model server's chains.
  return Array.from(buffer.relationships.subarray(0, count).sort()).reverse();
}

function directionOf(call: RestCall): Direction {
  const direction = DIRECTIONS.get(call.parameters["direction"] ?? "");
  if (direction === undefined) {
    throw new PlainError(404, "");
  }
  return direction;
}

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ["all", "both"],
  ["in", "in"],
  ["out", "out"],
]);

/** The ids of the types named in the path that have been used; undefined when none is named. */
function typesOf(call: RestCall): number[] | undefined {
  const names = (call.parameters["types"] ?? "").split("&").filter((name) => name.trim() !== "");
  if (names.length === 0) {
    return undefined;
  }
  const ids = names.map((name) => call.unit.tokens.relationshipTypes.find(name));
  return [...new Set(ids.filter((id) => id !== -1))];
}

/** Types that relationships have; with another `in_use` than `true` also those that were used once. */
function listTypes(call: RestCall): RestAnswer {
  const { tokens, view } = call.unit;
  const onlyInUse = wantsOnlyUsed(call);
  const names: JsonValue[] = [];
  for (let type = 0; type < tokens.relationshipTypes.size; type++) {
    if (!onlyInUse || view.relationshipCount(type) > 0) {
      names.push(tokens.relationshipTypes.nameOf(type));
    }
  }
  // This one endpoint speaks plain JSON and nothing else (graph-http §1, graph-measured).
  if (!acceptsJson(call.headers.accept)) {
    throw new PlainError(406, "");
  }
  return { status: 200, plain: { contentType: "application/json", text: writeJson(names, "compact") } };
}

/** A relationship in full; with its address when it is new. */
export function relationshipAnswer(status: number, relationship: number, call: RestCall): RestAnswer {
  return {
    status,
    location: status === 201 ? `${dataUrlOf(call)}/relationship/${relationship}` : undefined,
    representation: {
      type: "relationship",
      shape: "entity",
      value: relationshipRepresentation(relationship, representationContext(call)),
    },
  };
}
