import {
  type PatternComprehension,
  type PatternExpression,
  QueryError,
  type SubqueryExpression,
} from "@trefoil/cypher";
import { bindExpression, bindPredicate, type ExpressionPlace, undefinedVariable, valuePlace } from "./bind-context.ts";
import { bindPathPattern, bindPattern, type PatternResult } from "./bind-pattern.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type BoundClause, type BoundProjection, type BoundQuery } from "./bound-query.ts";
import { conjunctsOf } from "./expression-tree.ts";
import { Scope } from "./scope.ts";
import { anyType, booleanType, integerType, listOf, pathType } from "./static-type.ts";
import { shortestPathName } from "./shortest-path-name.ts";
import { Variable } from "./variable.ts";

/**
 * A pattern where a value stands. As a predicate it asks whether there is a match. Elsewhere 2.3 takes it for the
 * list of its paths and later versions refuse it.
 */
export function bindPatternExpression(expression: PatternExpression, place: ExpressionPlace): BoundExpression {
  const { context } = place;
  if (expression.selector !== undefined) {
    return bindShortestPath(expression, place);
  }
  if (!place.predicate && context.mode !== "2.3") {
    throw context.errors.syntax(
      "A pattern expression should only be used in order to test the existence of a pattern. It can no longer be used inside other expressions",
      expression.position,
      "UnexpectedSyntax",
    );
  }
  const scope = new Scope(place.scope);
  const path = place.predicate ? undefined : { name: "  PATH", position: expression.position };
  const { pattern, predicates, introduces } = bindPathPattern(expression.path, path, {
    context,
    scope,
    optional: false,
    newNames: "allowed",
  });
  const named = introduces.find((variable) => !variable.name.startsWith("  "));
  if (named !== undefined) {
    throw unboundName(expression, named.name, place);
  }
  if (context.mode === "2.3" && pattern.nodes.every((node) => introduces.includes(node))) {
    throw disconnected(introduces);
  }
  const match = matchOf({ pattern, predicates, introduces });
  if (place.predicate) {
    return existsOf(clausesQuery([match]));
  }
  const paths = introduces.find((variable) => variable.type.kind === "path");
  const reference: BoundExpression | undefined =
    paths === undefined ? undefined : { kind: "VariableReference", type: pathType, variable: paths };
  return collectOf([match], reference ?? { kind: "Literal", type: pathType, value: null });
}

/** `[p = (a)-->(b) WHERE … | e]`. */
export function bindPatternComprehension(expression: PatternComprehension, place: ExpressionPlace): BoundExpression {
  const { context } = place;
  const scope = new Scope(place.scope);
  const { pattern, predicates, introduces } = bindPathPattern(expression.path, expression.variable, {
    context,
    scope,
    optional: false,
    newNames: "allowed",
  });
  const inner = valuePlace(context, scope);
  const where = expression.where === undefined ? [] : conjunctsOf(bindPredicate(expression.where, inner));
  const match = matchOf({ pattern, predicates: [...predicates, ...where], introduces });
  return collectOf([match], bindExpression(expression.projection, inner));
}

/** `EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`. */
export function bindSubqueryExpression(expression: SubqueryExpression, place: ExpressionPlace): BoundExpression {
  const { context } = place;
  const query = context.binders.subquery(expression.query, place.scope, context);
  switch (expression.form) {
    case "exists":
      return existsOf(query);
    case "count":
      return { kind: "Subquery", type: integerType, form: "count", query };
    case "collect":
      if (query.columns.length !== 1) {
        throw context.errors.syntax(
          "A Collect Subquery must end with a RETURN of exactly one column",
          expression.position,
          "InvalidClauseComposition",
        );
      }
      return { kind: "Subquery", type: listOf(query.columns[0]?.type ?? anyType), form: "collect", query };
  }
}

function existsOf(query: BoundQuery): BoundExpression {
  return { kind: "Subquery", type: booleanType, form: "exists", query };
}

function matchOf(pattern: PatternResult): BoundClause {
  return { kind: "Match", optional: false, ...pattern, repeatable: false, hints: [] };
}

function collectOf(clauses: readonly BoundClause[], value: BoundExpression): BoundExpression {
  const column = new Variable("  VALUE", value.type, true);
  const projection: BoundProjection = {
    kind: "Projection",
    final: true,
    aggregation: undefined,
    items: [{ variable: column, expression: value }],
    distinct: false,
    orderBy: [],
    skip: undefined,
    limit: undefined,
    predicates: [],
    columns: [column],
  };
  const query = clausesQuery([...clauses, projection], [column]);
  return { kind: "Subquery", type: listOf(value.type), form: "collect", query };
}

function clausesQuery(clauses: readonly BoundClause[], columns: readonly Variable[] = []): BoundQuery {
  return { kind: "Query", parts: [{ clauses, columns }], unionAll: true, columns };
}

function unboundName(expression: PatternExpression, name: string, place: ExpressionPlace): Error {
  const { context } = place;
  const found = expression.path.elements.find((element) => element.variable?.name === name);
  const message =
    context.mode === "2.3"
      ? `${name} not defined`
      : `Variable \`${name}\` not defined: a pattern used as a predicate brings no new names`;
  return context.errors.syntax(message, found?.variable?.position ?? expression.position, "UndefinedVariable");
}

/** 2.3 wants a pattern in an expression to hang on something known. */
function disconnected(introduces: readonly Variable[]): Error {
  const names = introduces
    .filter((variable) => variable.type.kind !== "path")
    .map((variable) => variable.name)
    .toSorted();
  return new QueryError(
    "ClientError.Statement.InvalidSyntax",
    `All parts of the pattern must either directly or indirectly be connected to at least one bound entity. These identifiers were found to be disconnected: ${names.join(", ")}`,
    { phase: "compile time", tckDetail: "UndefinedVariable" },
  );
}

/** `shortestPath((a)-[*..5]-(b))` with both ends known: the paths that a MATCH of it finds. */
function bindShortestPath(expression: PatternExpression, place: ExpressionPlace): BoundExpression {
  const { context } = place;
  const { path, position, selector } = expression;
  // Names that are known nowhere are told before anything else is.
  const unknown = path.elements.find(
    (element) =>
      (element.kind === "NodePattern" || (element.kind === "RelationshipPattern" && context.mode === "2.3")) &&
      element.variable !== undefined &&
      place.scope.find(element.variable.name) === undefined,
  );
  if (unknown !== undefined && unknown.kind !== "ParenthesizedPath" && unknown.variable !== undefined) {
    throw undefinedVariable(context, unknown.variable.name, unknown.variable.position);
  }
  if (
    context.mode === "2.3" &&
    path.elements.some((element) => element.kind === "NodePattern" && element.variable === undefined)
  ) {
    const message = `${shortestPathName(selector)}(...) requires named nodes`;
    throw context.errors.syntax(message, position, "InvalidArgumentType");
  }
  const variable = { kind: "Variable", name: "  PATH", position } as const;
  const { pattern, predicates, introduces } = bindPattern(
    [{ kind: "PatternPart", position, variable, selector, path }],
    { context, scope: new Scope(place.scope), optional: false, newNames: "allowed" },
  );
  const found = introduces.find((each) => each.name === variable.name);
  if (found === undefined || pattern.casts.length > 0 || pattern.nodes.some((node) => introduces.includes(node))) {
    throw context.errors.syntax(
      "shortestPath(...) requires bound nodes when not part of a MATCH clause.",
      position,
      "InvalidArgumentType",
    );
  }
  const match = matchOf({ pattern, predicates, introduces });
  const paths = collectOf([match], { kind: "VariableReference", type: pathType, variable: found });
  const first: BoundExpression = { kind: "Literal", type: integerType, value: 0 };
  return selector?.all === true ? paths : { kind: "Subscript", type: pathType, subject: paths, index: first };
}
