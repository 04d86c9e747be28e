import { type IncomingHttpHeaders } from "node:http";
import { type RepresentationContext } from "../formats/representation.ts";
import { type Representation } from "./representation-format.ts";
import { type TextSink } from "../protocol/text-sink.ts";
import { type UnitOfWork } from "./unit-of-work.ts";

/** One call of a REST endpoint, over HTTP or as a job of a batch. */
export interface RestCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** `scheme://host[:port]`. */
  readonly baseUrl: string;
  readonly unit: UnitOfWork;
  /** One of several calls in {@link unit}. */
  readonly isJob?: boolean | undefined;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** `in_use` is true when not said; every other word but `true` is false (measured on a 2.3 server). */
export function wantsOnlyUsed({ query }: RestCall): boolean {
  return (query.get("in_use") || "true").toLowerCase() === "true";
}

export interface RestAnswer {
  readonly status: number;
  readonly location?: string | undefined;
  /** Undefined: an empty body. */
  readonly representation?: Representation | undefined;
  /** Instead of a representation: a body that is made piece by piece, and leaves so when the client asked for a stream. */
  readonly stream?: StreamedRepresentation | undefined;
  /** A body that is written as it is, with its own type. */
  readonly plain?: { readonly contentType: string; readonly text: string } | undefined;
}

export interface StreamedRepresentation {
  readonly contentType: string;
  /** Writes the whole body; what it throws is the answer as long as nothing has left. */
  write(sink: TextSink): Promise<void>;
}

/** What a REST endpoint does. Changes are kept when the status is below 300. */
export type RestHandler = (call: RestCall) => Promise<RestAnswer> | RestAnswer;

export interface RestRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly handle: RestHandler;
}

export const NO_CONTENT: RestAnswer = { status: 204 };

export function dataUrlOf(call: RestCall): string {
  return `${call.baseUrl}/db/data`;
}

export function representationContext(call: RestCall): RepresentationContext {
  return { graph: call.unit.graph, dataUrl: dataUrlOf(call), withExtensions: true };
}
