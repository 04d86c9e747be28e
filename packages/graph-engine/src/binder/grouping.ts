import { type BindContext } from "./bind-context.ts";
import { ambiguousAggregation, type BoundItem, containsAggregate, isSimple } from "./projection-item.ts";
import { type BoundAggregate, type BoundExpression } from "./bound-expression.ts";
import { type Assignment, type BoundProjection } from "./bound-query.ts";
import { expressionKey, mapChildren } from "./expression-tree.ts";
import { freeVariables } from "./free-variables.ts";
import { integerType } from "./static-type.ts";
import { Variable } from "./variable.ts";

/**
 * Splits the items of an aggregating projection into grouping keys, aggregates and what is computed from both.
 *
 *     RETURN n.city, count(*) + 1 AS c    →    keys: n.city   aggregates: x = count(*)   then: c = x + 1
 */
export class Grouping {
  readonly #context: BindContext;
  readonly #keyItems: readonly BoundItem[];
  /** Variables of the keys, by what they are keys of. */
  readonly #keyVariables: Map<string, Variable> = new Map<string, Variable>();
  readonly #keys: Assignment[] = [];
  readonly #aggregates: Map<string, Assignment> = new Map<string, Assignment>();

  constructor(items: readonly BoundItem[], context: BindContext) {
    this.#context = context;
    this.#keyItems = items.filter((item) => !containsAggregate(item.expression));
    for (const { expression, name } of this.#keyItems) {
      const same = expression.kind === "VariableReference" && expression.variable.name === name;
      this.#addKey(expression, same ? expression.variable : new Variable(name, expression.type, true));
    }
  }

  /** The item as it is computed after grouping, into `column`. */
  expressionOf(item: BoundItem, column: Variable): BoundExpression {
    if (!containsAggregate(item.expression)) {
      const key = this.#keyVariables.get(expressionKey(item.expression)) ?? column;
      return { kind: "VariableReference", type: key.type, variable: key };
    }
    return this.#afterGrouping(item.expression, item, new Set());
  }

  /** The variable of an item that is a grouping key. */
  keyColumn(item: BoundItem): Variable | undefined {
    const variable = this.#keyVariables.get(expressionKey(item.expression));
    return variable?.name === item.name ? variable : undefined;
  }

  /** The variable that holds `aggregate` after grouping. */
  aggregate(aggregate: BoundAggregate): BoundExpression {
    const key = expressionKey(aggregate);
    let assignment = this.#aggregates.get(key);
    if (assignment === undefined) {
      const variable = new Variable(`  ${aggregate.name}${this.#aggregates.size + 1}`, aggregate.type, true);
      assignment = { variable, expression: aggregate };
      this.#aggregates.set(key, assignment);
    }
    return { kind: "VariableReference", type: assignment.variable.type, variable: assignment.variable };
  }

  aggregateVariables(): readonly Variable[] {
    return [...this.#aggregates.values()].map((assignment) => assignment.variable);
  }

  result(): BoundProjection["aggregation"] {
    return { keys: this.#keys, aggregates: [...this.#aggregates.values()] };
  }

  #addKey(expression: BoundExpression, variable: Variable): Variable {
    this.#keyVariables.set(expressionKey(expression), variable);
    this.#keys.push({ variable, expression });
    return variable;
  }

  /** `local` are the variables that the expression itself brings (comprehensions). */
  #afterGrouping(expression: BoundExpression, item: BoundItem, local: ReadonlySet<Variable>): BoundExpression {
    if (expression.kind === "Aggregate") {
      return this.aggregate(expression);
    }
    const counted = countOfCollected(expression);
    if (counted !== undefined) {
      return this.aggregate(counted);
    }
    const key = isSimple(expression) ? this.#keyVariables.get(expressionKey(expression)) : undefined;
    if (key !== undefined) {
      return { kind: "VariableReference", type: key.type, variable: key };
    }
    if (expression.kind === "VariableReference" && !local.has(expression.variable)) {
      return this.#implicitKey(expression, expression.variable.name, item);
    }
    if (this.#context.mode === "2.3" && isSimple(expression) && !this.#touches(expression, local)) {
      return this.#implicitKey(expression, "", item);
    }
    if (
      expression.kind === "Subquery" &&
      [...freeVariables(expression)].some((each) => !this.#isKey(each) && !local.has(each))
    ) {
      throw ambiguousAggregation(this.#context, "subquery", item.position);
    }
    const inner = new Set([...local, ...boundBy(expression)]);
    return mapChildren(expression, (child) => this.#afterGrouping(child, item, inner));
  }

  /** 2.3 groups by what stands beside an aggregate; later versions refuse to guess. */
  #implicitKey(expression: BoundExpression, name: string, item: BoundItem): BoundExpression {
    if (this.#context.mode !== "2.3") {
      throw ambiguousAggregation(this.#context, name, item.position);
    }
    const variable =
      expression.kind === "VariableReference"
        ? this.#addKey(expression, expression.variable)
        : this.#addKey(expression, new Variable(`  KEY${this.#keys.length + 1}`, expression.type, true));
    return { kind: "VariableReference", type: variable.type, variable };
  }

  #touches(expression: BoundExpression, variables: ReadonlySet<Variable>): boolean {
    return [...freeVariables(expression)].some((variable) => variables.has(variable));
  }

  #isKey(variable: Variable): boolean {
    return this.#keys.some((key) => key.variable === variable);
  }
}

function boundBy(expression: BoundExpression): readonly Variable[] {
  switch (expression.kind) {
    case "ListComprehension":
    case "Quantified":
      return [expression.variable];
    case "Reduce":
      return [expression.accumulator, expression.variable];
    default:
      return [];
  }
}

/** `size(collect(x))` as `count(x)`, which keeps no list. */
function countOfCollected(expression: BoundExpression): BoundAggregate | undefined {
  const [list] = expression.kind === "Call" && expression.function.name === "size" ? expression.arguments : [];
  return list?.kind === "Aggregate" && list.name === "collect"
    ? { ...list, name: "count", type: integerType }
    : undefined;
}
