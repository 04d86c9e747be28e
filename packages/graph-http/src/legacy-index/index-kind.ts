import { nodeRepresentation, relationshipRepresentation } from "../formats/representation.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { dataUrlOf, representationContext, type RestCall } from "../rest/rest-call.ts";
import { nodeMissing, nodeNotFoundChain, relationshipNotFound, RestError } from "../rest/rest-error.ts";

/** What is different between indexes of nodes and of relationships. */
export interface IndexKind {
  readonly entity: "node" | "relationship";
  exists(id: number, call: RestCall): boolean;
  represent(id: number, call: RestCall): ReadonlyMap<string, JsonValue>;
  /** Somebody wants to index what is not there. */
  missing(id: number): RestError;
  /** The same where it is to be unique. */
  missingForUnique(id: number): RestError;
}

export const NODE_KIND: IndexKind = {
  entity: "node",
  exists: (id, { unit: { view } }) => id >= 0 && id < view.nodeIdLimit && view.nodeExists(id),
  represent: (id, call) => nodeRepresentation(id, representationContext(call)),
  missing: (id) => nodeMissing(500, id),
  missingForUnique: (id) => new RestError(500, nodeNotFoundChain(id)),
};

export const RELATIONSHIP_KIND: IndexKind = {
  entity: "relationship",
  exists: (id, { unit: { view } }) => id >= 0 && id < view.relationshipIdLimit && view.relationshipExists(id),
  represent: (id, call) => relationshipRepresentation(id, representationContext(call)),
  missing: (id) => new RestError(500, [{ exception: "NotFoundException", message: `Relationship ${id} not found` }]),
  missingForUnique: (id) => new RestError(500, relationshipNotFound(id).chain),
};

/** Names, keys and values as they stand in addresses. */
export function pathPart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Where an entity stands in an index. */
export function hitUrl(call: RestCall, kind: IndexKind, index: string, key: string, value: string, id: number): string {
  return `${indexUrl(call, kind, index)}/${pathPart(key)}/${pathPart(value)}/${id}`;
}

export function indexUrl(call: RestCall, { entity }: IndexKind, index: string): string {
  return `${dataUrlOf(call)}/index/${entity}/${pathPart(index)}`;
}
