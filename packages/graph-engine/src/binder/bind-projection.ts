import { type Expression, type Position, type Projection, type ProjectionItem } from "@trefoil/cypher";
import { type BindContext, bindExpression, bindPredicate, undefinedVariable } from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type Assignment, type BoundProjection, type SortKey } from "./bound-query.ts";
import { conjunctsOf, expressionKey, mapChildren } from "./expression-tree.ts";
import { freeVariables } from "./free-variables.ts";
import { Grouping } from "./grouping.ts";
import { ambiguousAggregation, type BoundItem, containsAggregate, isSimple } from "./projection-item.ts";
import { Scope } from "./scope.ts";
import { bindRowCount } from "./bind-row-count.ts";
import { Variable } from "./variable.ts";
import { positionOfName } from "./position-of-name.ts";

export interface ProjectionPlace {
  readonly context: BindContext;
  readonly scope: Scope;
  /** What a subquery sees of its surroundings also after WITH. */
  readonly outer: Scope | undefined;
  /** Where the clause begins. */
  readonly position: Position;
  /** RETURN, after which nothing follows. */
  readonly final: boolean;
  /** `WHERE` after WITH. */
  readonly where: Expression | undefined;
}

/**
 * WITH or RETURN. ORDER BY and WHERE see the new columns and, unless rows are grouped or made distinct, also what was
 * there before; expressions that are columns are recognised as such.
 */
export function bindProjection(
  projection: Projection,
  place: ProjectionPlace,
): { readonly clause: BoundProjection; readonly scope: Scope } {
  const { context, scope } = place;
  const items = bindItems(projection, place);
  const grouped = items.some((item) => containsAggregate(item.expression));
  const grouping = grouped ? new Grouping(items, context) : undefined;
  const columns = items.map((item) => grouping?.keyColumn(item) ?? columnOf(item, grouped));
  const assignments = items.map((item, index): Assignment => {
    const variable = columns[index] ?? columnOf(item, grouped);
    const expression = grouping === undefined ? item.expression : grouping.expressionOf(item, variable);
    return { variable, expression };
  });
  const tail = new ProjectionTail(projection, place, items, columns, grouping);
  const clause: BoundProjection = {
    kind: "Projection",
    final: place.final,
    items: assignments,
    distinct: projection.distinct,
    orderBy: tail.orderBy(),
    skip: bindRowCount("SKIP", projection.skip, context, scope),
    limit: bindRowCount("LIMIT", projection.limit, context, scope),
    predicates: tail.predicates(),
    columns,
    // Last, because ORDER BY may have asked for one more aggregate.
    aggregation: grouping?.result(),
  };
  checkAliases(projection, place);
  return { clause, scope: Scope.of(columns, place.outer) };
}

function bindItems(projection: Projection, place: ProjectionPlace): readonly BoundItem[] {
  const { context, scope } = place;
  const items: BoundItem[] = [];
  if (projection.star) {
    const named = scope.variables().filter((variable) => !variable.name.startsWith("  "));
    if (named.length === 0 && place.final) {
      throw context.errors.syntax(
        `RETURN * is not allowed when there are no ${context.mode === "2.3" ? "identifiers" : "variables"} in scope`,
        context.mode === "2.3" ? place.position : projection.position,
        "NoVariablesInScope",
      );
    }
    const sorted = named.toSorted((left, right) => (left.name < right.name ? -1 : 1));
    for (const variable of sorted) {
      items.push({
        name: variable.name,
        expression: { kind: "VariableReference", type: variable.type, variable },
        position: projection.position,
      });
    }
  }
  for (const item of projection.items) {
    const expression = bindExpression(item.expression, { context, scope, aggregates: "allowed", predicate: false });
    items.push({ name: nameOf(item), expression, position: item.position });
  }
  checkNames(items, projection, context);
  return items;
}

function nameOf(item: ProjectionItem): string {
  if (item.alias !== undefined) {
    return item.alias.name;
  }
  if (item.expression.kind === "Variable") {
    return item.expression.name;
  }
  return item.text;
}

/** Judged last: an error in what follows the items says more. */
function checkAliases(projection: Projection, place: ProjectionPlace): void {
  const unnamed = projection.items.find((item) => item.alias === undefined && item.expression.kind !== "Variable");
  if (unnamed !== undefined && !place.final) {
    throw place.context.errors.syntax(
      "Expression in WITH must be aliased (use AS)",
      unnamed.position,
      "NoExpressionAlias",
    );
  }
}

function checkNames(items: readonly BoundItem[], projection: Projection, context: BindContext): void {
  const repeated = items.findIndex((item, index) => items.slice(index + 1).some((other) => other.name === item.name));
  if (repeated >= 0) {
    throw context.errors.syntax(
      "Multiple result columns with the same name are not supported",
      projection.items[repeated]?.position ?? projection.position,
      "ColumnNameConflict",
    );
  }
}

/** A variable that is passed on under its own name stays the same variable. */
function columnOf(item: BoundItem, grouped: boolean): Variable {
  const { expression, name } = item;
  if (expression.kind === "VariableReference" && expression.variable.name === name) {
    return expression.variable;
  }
  const notNull = !grouped && expression.kind === "VariableReference" && !expression.variable.nullable;
  return new Variable(name, expression.type, !notNull);
}

/** ORDER BY and WHERE behind the items. */
class ProjectionTail {
  readonly #projection: Projection;
  readonly #place: ProjectionPlace;
  readonly #items: readonly BoundItem[];
  readonly #columns: readonly Variable[];
  readonly #grouping: Grouping | undefined;
  readonly #scope: Scope;

  constructor(
    projection: Projection,
    place: ProjectionPlace,
    items: readonly BoundItem[],
    columns: readonly Variable[],
    grouping: Grouping | undefined,
  ) {
    this.#projection = projection;
    this.#place = place;
    this.#items = items;
    this.#columns = columns;
    this.#grouping = grouping;
    this.#scope = Scope.of(columns, place.scope);
  }

  orderBy(): readonly SortKey[] {
    const isLegacy = this.#place.context.mode === "2.3";
    return this.#projection.orderBy.map((item) => ({
      expression: this.#bind(item.expression, this.#grouping === undefined && !isLegacy ? "forbidden" : "allowed"),
      descending: item.descending,
    }));
  }

  #checkNotAggregating(bound: BoundExpression): void {
    const { context, final, position } = this.#place;
    if (containsAggregate(bound)) {
      throw context.errors.syntax(
        `Cannot use aggregation in ORDER BY if there are no aggregate expressions in the preceding ${final ? "RETURN" : "WITH"}`,
        position,
        "InvalidAggregation",
      );
    }
  }

  predicates(): readonly BoundExpression[] {
    const { where, context } = this.#place;
    if (where === undefined) {
      return [];
    }
    const bound = bindPredicate(where, { context, scope: this.#scope, aggregates: "forbidden", predicate: true });
    return conjunctsOf(this.#narrowed(bound, where));
  }

  #bind(expression: Expression, aggregates: "allowed" | "forbidden"): BoundExpression {
    const { context } = this.#place;
    const bound = bindExpression(expression, { context, scope: this.#scope, aggregates, predicate: false });
    if (this.#grouping === undefined) {
      this.#checkNotAggregating(bound);
    }
    return this.#narrowed(bound, expression);
  }

  /** After grouping or DISTINCT only the columns are left: whatever equals one becomes it, the rest is an error. */
  #narrowed(bound: BoundExpression, written: Expression): BoundExpression {
    if (this.#grouping === undefined && !this.#projection.distinct) {
      return bound;
    }
    const byKey = new Map(this.#items.map((item, index) => [expressionKey(item.expression), this.#columns[index]]));
    const aggregating = containsAggregate(bound);
    const rewrite = (expression: BoundExpression): BoundExpression => {
      const whole = !aggregating || expression.kind === "Aggregate" || isSimple(expression);
      const column = whole ? byKey.get(expressionKey(expression)) : undefined;
      if (column !== undefined) {
        return { kind: "VariableReference", type: column.type, variable: column };
      }
      if (expression.kind === "Aggregate" && this.#grouping !== undefined) {
        // What it is over was there before grouping only: as a name of its own it is unknown.
        this.#checkVariables(expression, written, false);
        return this.#grouping.aggregate(expression);
      }
      return mapChildren(expression, rewrite);
    };
    const narrowed = rewrite(bound);
    this.#checkVariables(narrowed, written, aggregating);
    return narrowed;
  }

  #checkVariables(expression: BoundExpression, written: Expression, aggregating: boolean): void {
    const known = new Set([...this.#columns, ...(this.#grouping?.aggregateVariables() ?? [])]);
    const outer = new Set(this.#place.outer?.variables() ?? []);
    const missing = [...freeVariables(expression)].find((variable) => !known.has(variable) && !outer.has(variable));
    if (missing === undefined) {
      return;
    }
    const { context } = this.#place;
    const position = positionOfName(written, missing.name) ?? written.position;
    if (
      aggregating &&
      this.#items.some((item) => !containsAggregate(item.expression) && freeVariables(item.expression).has(missing))
    ) {
      throw ambiguousAggregation(context, missing.name, position);
    }
    throw undefinedVariable(context, missing.name, position);
  }
}
