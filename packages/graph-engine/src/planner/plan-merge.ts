import { type BoundMerge } from "../binder/bound-query.ts";
import { type Variable } from "../binder/variable.ts";
import { type Operator } from "../logical-plan/operator.ts";
import { planMatch } from "./plan-match.ts";
import { type PlanContext } from "./plan-context.ts";

/** MERGE: looks for the pattern per row, and makes it where there is none. */
export function planMerge(
  clause: BoundMerge,
  source: Operator,
  known: ReadonlySet<Variable>,
  context: PlanContext,
): Operator {
  const { casts } = clause.match.pattern;
  const before: Operator = casts.length === 0 ? source : { kind: "Projection", source, items: casts };
  const all = new Set([...known, ...casts.map((cast) => cast.variable)]);
  const match = { ...clause.match, pattern: { ...clause.match.pattern, casts: [] } };
  return {
    kind: "Merge",
    source: before,
    inner: planMatch(match, { kind: "Argument" }, all, context),
    introduces: clause.match.introduces,
    create: clause.create,
    onCreate: clause.onCreate,
    onMatch: clause.onMatch,
    onlyMatch: clause.onlyMatch,
    unique: clause.create.nodes.filter(
      ({ labels, properties }) =>
        properties !== undefined &&
        labels.some((label) => context.statistics.indexesOf(label).some((index) => index.unique)),
    ),
  };
}
