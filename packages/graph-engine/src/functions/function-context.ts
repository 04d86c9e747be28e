import { type Clock } from "@trefoil/base";
import { type LegacyIndexAccess } from "@trefoil/graph-store";
import { type Mode } from "@trefoil/cypher";
import { type GraphAccess } from "../values/graph-access.ts";
import { type PatternCache } from "./patterns/pattern-cache.ts";

/** What functions may look at besides their arguments; one per statement. */
export interface FunctionContext extends GraphAccess {
  readonly mode: Mode;
  /** When the statement began, in milliseconds since 1970: all its `timestamp()`s agree. */
  readonly statementTimeMs: number;
  /** When the transaction began, for `date.transaction()` and its like. */
  readonly transactionTimeMs: number;
  /** For `date.realtime()` and its like only. */
  readonly clock: Clock;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Undefined where no legacy index can be asked. */
  readonly transaction?: { readonly legacyIndexes: LegacyIndexAccess } | undefined;
  /** Compiled regular expressions, kept by the engine. */
  readonly patterns: PatternCache;
}
