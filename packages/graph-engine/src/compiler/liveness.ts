import { type Variable } from "../binder/variable.ts";
import { freeVariables } from "../binder/free-variables.ts";
import { type Join, type Operator } from "../logical-plan/operator.ts";
import { variablesReadBy, variablesSetBy } from "../logical-plan/operator-tree.ts";

/** For each operator, the variables that something behind it still reads: what has to be kept when rows are buffered. */
export class Liveness {
  readonly #after: Map<Operator, Set<Variable>> = new Map<Operator, Set<Variable>>();

  constructor(plan: Operator) {
    this.add(plan, new Set());
  }

  after(operator: Operator): ReadonlySet<Variable> {
    return this.#after.get(operator) ?? new Set();
  }

  /** Notes what is needed in and behind `operator`; returns what it needs from outside. */
  add(operator: Operator, after: ReadonlySet<Variable>): ReadonlySet<Variable> {
    const known = this.#after.get(operator) ?? new Set();
    after.forEach((variable) => known.add(variable));
    this.#after.set(operator, known);
    const needed = new Set(after);
    const set = variablesSetBy(operator);
    set.forEach((variable) => needed.delete(variable));
    variablesReadBy(operator).forEach((variable) => needed.add(variable));
    if (operator.kind === "Create" || operator.kind === "Merge") {
      // These read what they have just made themselves.
      set.forEach((variable) => needed.delete(variable));
    }
    switch (operator.kind) {
      case "Argument":
        return needed;
      case "Union": {
        const outer = new Set<Variable>();
        for (const part of operator.parts) {
          this.add(part.plan, new Set(part.columns)).forEach((variable) => outer.add(variable));
        }
        return outer;
      }
      case "Join": {
        const kept = intersection(after, operator.introduces);
        return this.#withInner(operator, needed, new Set([...kept, ...innerKeyVariables(operator)]));
      }
      case "Optional":
        return this.#withInner(operator, needed, intersection(after, operator.introduces));
      case "Apply":
        return this.#withInner(operator, needed, intersection(after, operator.columns));
      case "Foreach": {
        const inner = new Set(this.add(operator.inner, new Set()));
        inner.delete(operator.variable);
        inner.forEach((variable) => needed.add(variable));
        return this.add(operator.source, needed);
      }
      case "Merge":
        return this.#withInner(operator, needed, new Set(operator.introduces));
      default:
        return this.add(operator.source, needed);
    }
  }

  #withInner(
    operator: Operator & { readonly source: Operator; readonly inner: Operator },
    needed: Set<Variable>,
    innerAfter: ReadonlySet<Variable>,
  ): ReadonlySet<Variable> {
    const inner = this.add(operator.inner, innerAfter);
    inner.forEach((variable) => needed.add(variable));
    return this.add(operator.source, needed);
  }
}

function innerKeyVariables({ keys }: Join): readonly Variable[] {
  return keys.flatMap((key) => [...freeVariables(key.inner)]);
}

function intersection(set: ReadonlySet<Variable>, variables: readonly Variable[]): ReadonlySet<Variable> {
  return new Set(variables.filter((variable) => set.has(variable)));
}
