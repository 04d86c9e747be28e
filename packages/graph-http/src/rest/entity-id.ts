import { nodeNotFound, PlainError, relationshipNotFound } from "./rest-error.ts";
import { type RestCall } from "./rest-call.ts";

/** The node in the path. @throws RestError 404 when there is none, PlainError 404 when the path has no number */
export function nodeOf(call: RestCall, parameter: string = "id"): number {
  const id = idOf(call.parameters[parameter]);
  if (!call.unit.view.nodeExists(id)) {
    throw nodeNotFound(id);
  }
  return id;
}

/** The relationship in the path, likewise. */
export function relationshipOf(call: RestCall): number {
  const id = idOf(call.parameters["id"]);
  if (!call.unit.view.relationshipExists(id)) {
    throw relationshipNotFound(id);
  }
  return id;
}

/** A number in the path; blanks count as 0 (graph-measured). @throws PlainError 404 when it is none */
export function idOf(text: string | undefined): number {
  if (text === undefined || !/^(?:[+-]?\d{1,19}|\s+)$/.test(text)) {
    // The usual page of a path that is not served.
    throw new PlainError(404, "");
  }
  return Number(text);
}
