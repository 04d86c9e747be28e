import { type StatusCode } from "@trefoil/cypher";
import { type JsonValue } from "../json/json-reader.ts";
import { hasStackTrace, type StatusCodePrefix } from "../status-codes.ts";
import { EXCEPTIONS, type ExceptionName, simpleName } from "./exceptions.ts";

/** One exception of a chain, as the error object shows it. */
export interface ExceptionLink {
  readonly exception: ExceptionName;
  /** Left out of the answer when null. */
  readonly message: string | null;
  /** Instead of the exception's usual code. */
  readonly code?: StatusCode | undefined;
}

/** A failure of a REST endpoint: a status, and an exception with what caused it. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly chain: readonly [ExceptionLink, ...ExceptionLink[]];

  constructor(status: number, chain: readonly [ExceptionLink, ...ExceptionLink[]]) {
    super(chain[0].message ?? chain[0].exception);
    this.status = status;
    this.chain = chain;
  }
}

/** A failure whose body is one line of plain text, or nothing. */
export class PlainError extends Error {
  override readonly name = "PlainError";
  readonly status: number;
  readonly contentType: string | undefined;

  constructor(status: number, message: string, contentType?: string) {
    super(message);
    this.status = status;
    this.contentType = contentType;
  }
}

/** The error object of all REST endpoints (graph-http §6): message, exception, stack trace, cause, and codes. */
export function errorRepresentation(
  { chain: [first, ...causes] }: Pick<RestError, "chain">,
  prefix: StatusCodePrefix,
): ReadonlyMap<string, JsonValue> {
  const [packageName, usualCode] = EXCEPTIONS[first.exception];
  const fullName = `${packageName}.${simpleName(first.exception)}`;
  const code = first.code ?? usualCode ?? "DatabaseError.General.UnknownFailure";
  const error = new Map<string, JsonValue>();
  if (first.message !== null) {
    error.set("message", first.message);
  }
  error.set("exception", simpleName(first.exception)).set("fullname", fullName).set("stackTrace", [fullName]);
  const [cause, ...rest] = causes;
  if (cause !== undefined) {
    error.set("cause", errorRepresentation({ chain: [cause, ...rest] }, prefix));
  }
  const status = new Map<string, JsonValue>([
    ["code", `${prefix}.${code}`],
    ["message", first.message],
  ]);
  if (hasStackTrace(code)) {
    status.set("stackTrace", first.message === null ? fullName : `${fullName}: ${first.message}`);
  }
  return error.set("errors", [status]);
}

export function nodeNotFound(node: number | string): RestError {
  return new RestError(404, nodeNotFoundChain(node));
}

export function nodeNotFoundChain(node: number | string): [ExceptionLink, ExceptionLink] {
  return [
    { exception: "NodeNotFoundException", message: `Cannot find node with id [${node}] in database.` },
    { exception: "NotFoundException", message: `Node ${node} not found` },
  ];
}

/** Where the model server says nothing but that the node is not there. */
export function nodeMissing(status: number, node: number): RestError {
  return new RestError(status, [{ exception: "NotFoundException", message: `Node ${node} not found` }]);
}

export function relationshipNotFound(relationship: number | string): RestError {
  const cause = `Relationship ${relationship} not found`;
  return new RestError(404, [
    { exception: "RelationshipNotFoundException", message: `org.neo4j.graphdb.NotFoundException: ${cause}` },
    { exception: "NotFoundException", message: cause },
  ]);
}

export function propertyValueError(message: string): RestError {
  return new RestError(400, [{ exception: "PropertyValueException", message }]);
}

export function badInput(cause: ExceptionLink): RestError {
  return new RestError(400, [{ exception: "BadInputException", message: cause.message }, cause]);
}

export function invalidArguments(message: string): RestError {
  return new RestError(400, [{ exception: "InvalidArgumentsException", message }]);
}
