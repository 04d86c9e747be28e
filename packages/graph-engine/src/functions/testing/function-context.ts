import { ManualClock } from "@trefoil/base";
import { type Mode } from "@trefoil/cypher";
import { type ReadView, type TokenTables } from "@trefoil/graph-store";
import { type FunctionContext } from "../function-context.ts";
import { PatternCache } from "../patterns/pattern-cache.ts";

/** A context over no graph: for functions that look at their arguments only. */
export function contextWithoutGraph(mode: Mode): FunctionContext {
  return {
    mode,
    view: {} as ReadView,
    tokens: {} as TokenTables,
    statementTimeMs: 1_700_000_000_000,
    transactionTimeMs: 1_700_000_000_000,
    clock: new ManualClock(1_700_000_000_000),
    random: () => 0.25,
    patterns: new PatternCache(),
  };
}
