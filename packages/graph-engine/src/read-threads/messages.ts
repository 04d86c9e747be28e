import { QueryError } from "@trefoil/cypher";
import { type SharedGraph } from "@trefoil/graph-store";
import { type StatementPart } from "../runtime/statement-context.ts";
import { type WireValue } from "./wire-values.ts";

/** What the main thread says to one that reads. */
export type ToReader =
  /** What the statements after it read. */
  | { readonly kind: "graph"; readonly graph: SharedGraph; readonly memoryBytes: number }
  | {
      readonly kind: "run";
      readonly text: string;
      readonly parameters: ReadonlyMap<string, WireValue>;
      readonly timeoutMs: number | undefined;
      /** When only a part of it is wanted. */
      readonly part: RequestedPart | undefined;
    }
  /** One more batch may come. */
  | { readonly kind: "more" }
  | { readonly kind: "cancel" };

/** What a thread is told when it is started. */
export interface ReadThreadData {
  readonly standsAside: boolean;
}

/** What it says: once by which number the system knows it, if it stands aside, and what it answers. */
export type FromReader = { readonly kind: "stands aside"; readonly thread: string } | ReaderAnswer;

/** What it answers to one statement: batches, then one of the others. */
export type ReaderAnswer =
  | { readonly kind: "batch"; readonly rows: readonly (readonly WireValue[])[] }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: WireError }
  /** It cannot be run there; nothing came of it. */
  | { readonly kind: "refused"; readonly why: "unknown" | "other plan" | "starved" };

/** A part of a statement that other threads run the other parts of. */
export interface RequestedPart extends StatementPart {
  /** The code that all of them run (PreparedStatement.split). */
  readonly source: string;
  /** The statement's time. */
  readonly timeMs: number;
  /** What the part may keep in memory. */
  readonly memoryBytes: number;
}

/** This thread has planned the statement in another way than the one that asked for a part of it. */
export class OtherPlan extends Error {
  override readonly name = "OtherPlan";
}

/** Batches that may be on their way before the main thread has taken one. */
export const BATCHES_AHEAD = 4;

export type WireError = Pick<QueryError, "code" | "message" | "phase" | "position" | "tckDetail">;

export function errorToWire({ code, message, phase, position, tckDetail }: QueryError): WireError {
  return { code, message, phase, position, tckDetail };
}

export function errorFromWire({ code, message, ...options }: WireError): QueryError {
  return new QueryError(code, message, options);
}
