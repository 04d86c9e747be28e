import { type JSX } from "preact";
import { type Plan } from "../server/plan.ts";

const NUMBERS = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export interface PlanViewProps {
  readonly plan: Plan;
  readonly durationMs: number;
}

/**
 * A plan from its result down to its sources. A bar shows each operator's share: of the time where the server measured
 * it, else of the rows that passed.
 */
export function PlanView({ plan, durationMs }: PlanViewProps): JSX.Element {
  const isProfiled = plan.rows !== undefined;
  const most = Math.max(1e-9, ...allOf(plan).map(weightOf));
  return (
    <div class="frame-pad column">
      <p class="muted">
        {isProfiled
          ? `Profiled: ${NUMBERS.format(durationMs)} ms until the last byte; rows are those that came out of each operator.`
          : "Explained: nothing was run; rows are estimates. PROFILE runs the statement and counts."}
      </p>
      <ul class="plan" role="tree" aria-label="Plan">
        <Operator plan={plan} most={most} level={1} />
      </ul>
    </div>
  );
}

function Operator({
  plan,
  most,
  level,
}: {
  readonly plan: Plan;
  readonly most: number;
  readonly level: number;
}): JSX.Element {
  const share = Math.round((weightOf(plan) / most) * 100);
  return (
    <li role="treeitem" aria-level={level} aria-selected="false" class="plan-node">
      <div class="plan-operator">
        <div class="plan-head">
          <strong>{plan.operator}</strong>
          <span class="plan-rows">
            {plan.rows === undefined
              ? `≈ ${NUMBERS.format(plan.estimatedRows)} rows`
              : `${NUMBERS.format(plan.rows)} rows`}
            {plan.timeMs === undefined ? "" : ` · ${NUMBERS.format(plan.timeMs)} ms`}
          </span>
        </div>
        {plan.details.map(([name, text]) => (
          <code key={name} class="plan-detail">
            {name === "Details" ? text : `${name}: ${text}`}
          </code>
        ))}
        {plan.identifiers.length === 0 ? null : <span class="muted plan-names">{plan.identifiers.join(", ")}</span>}
        <div class="plan-bar" aria-hidden="true">
          <div style={{ width: `${share}%` }} />
        </div>
        {plan.rows === undefined ? null : (
          <span class="muted plan-names">
            {plan.hits === undefined ? "" : `${NUMBERS.format(plan.hits)} hits · `}estimated{" "}
            {NUMBERS.format(plan.estimatedRows)}
          </span>
        )}
      </div>
      {plan.children.length === 0 ? null : (
        <ul role="group">
          {plan.children.map((child, index) => (
            <Operator key={index} plan={child} most={most} level={level + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}

function weightOf({ timeMs, rows, estimatedRows }: Plan): number {
  return timeMs ?? rows ?? estimatedRows;
}

function allOf(plan: Plan): readonly Plan[] {
  return [plan, ...plan.children.flatMap(allOf)];
}
