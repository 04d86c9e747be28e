import { type Clause, type Query, type SingleQuery } from "@trefoil/cypher";
import { type BindContext } from "./bind-context.ts";
import { bindProcedureCall } from "./bind-call.ts";
import { bindLoadCsv } from "./bind-load-csv.ts";
import { bindMatch } from "./bind-match.ts";
import { bindProjection } from "./bind-projection.ts";
import { bindStart } from "./bind-start.ts";
import { bindSubqueryCall } from "./bind-subquery-call.ts";
import { bindUnwind } from "./bind-unwind.ts";
import { type BoundClause, type BoundPart, type BoundQuery } from "./bound-query.ts";
import { checkClauseOrder, isUpdating } from "./clause-order.ts";
import { Scope } from "./scope.ts";
import { type Variable } from "./variable.ts";

/** Where a query stands among others. */
export interface QueryPlace {
  readonly context: BindContext;
  /** What it sees from outside, all the way through. */
  readonly outer: Scope | undefined;
  /** What it may start from, until its first WITH. */
  readonly imported: readonly Variable[];
  readonly form: "statement" | "expression subquery" | "call subquery";
}

/** A query with all its UNION parts. */
export function bindQuery(query: Query, place: QueryPlace): BoundQuery {
  const { context } = place;
  const all = query.unions[0]?.all ?? true;
  const odd = query.unions.find((union) => union.all !== all);
  if (odd !== undefined) {
    const message = "Invalid combination of UNION and UNION ALL";
    throw context.errors.syntax(message, odd.position, "InvalidClauseComposition");
  }
  const first = bindPart(query.first, place);
  const parts = [first];
  for (const union of query.unions) {
    const part = bindPart(union.query, place);
    if (JSON.stringify(part.names) !== JSON.stringify(first.names)) {
      throw context.errors.syntax(
        "All sub queries in an UNION must have the same column names",
        union.position,
        "DifferentColumnsInUnion",
      );
    }
    parts.push(part);
  }
  return { kind: "Query", parts, unionAll: all, columns: first.columns };
}

/** The body of EXISTS, COUNT and COLLECT: sees all outer variables and must not update. */
export function bindExpressionSubquery(query: Query, scope: Scope, context: BindContext): BoundQuery {
  for (const single of [query.first, ...query.unions.map((union) => union.query)]) {
    const updating = single.clauses.find(isUpdating);
    if (updating !== undefined) {
      throw context.errors.syntax(
        "A subquery expression cannot contain any updates",
        updating.position,
        "InvalidClauseComposition",
      );
    }
  }
  return bindQuery(query, { context, outer: scope, imported: [], form: "expression subquery" });
}

/** @returns with the names that a UNION compares: in 2.3 a part without RETURN has all that it knows at its end */
function bindPart(query: SingleQuery, place: QueryPlace): BoundPart & { readonly names: readonly string[] } {
  const { context } = place;
  checkClauseOrder(query, place.form, context);
  let scope = Scope.of(place.imported, place.outer);
  let columns: readonly Variable[] = [];
  const clauses: BoundClause[] = [];
  for (const clause of query.clauses) {
    const bound = bindClause(clause, scope, place);
    if (bound === undefined) {
      continue;
    }
    clauses.push(...bound.clauses);
    scope = bound.scope;
    columns = bound.columns ?? columns;
  }
  const compared = context.mode === "2.3" && query.clauses.at(-1)?.kind !== "Return" ? scope.variables() : columns;
  return { clauses, columns, names: compared.map((variable) => variable.name) };
}

interface BoundClauseResult {
  readonly clauses: readonly BoundClause[];
  readonly scope: Scope;
  /** Set by what ends a query. */
  readonly columns?: readonly Variable[];
}

function bindClause(clause: Clause, scope: Scope, place: QueryPlace): BoundClauseResult | undefined {
  const { context } = place;
  switch (clause.kind) {
    case "Match":
      return { clauses: [bindMatch(clause, scope, context)], scope };
    case "Start":
      return { clauses: [bindStart(clause, scope, context)], scope };
    case "Unwind":
      return { clauses: [bindUnwind(clause, scope, context)], scope };
    case "With": {
      context.createdLabels.clear();
      const { where } = clause;
      const bound = bindProjection(clause.projection, {
        context,
        scope,
        outer: place.outer,
        position: clause.position,
        final: false,
        where,
      });
      return { clauses: [bound.clause], scope: bound.scope };
    }
    case "Return": {
      const bound = bindProjection(clause.projection, {
        context,
        scope,
        outer: place.outer,
        position: clause.position,
        final: true,
        where: undefined,
      });
      return { clauses: [bound.clause], scope: bound.scope, columns: bound.clause.columns };
    }
    case "Create":
    case "Merge":
    case "Set":
    case "Remove":
    case "Delete":
    case "Foreach":
      return { clauses: context.binders.update(clause, scope, context), scope };
    case "ProcedureCall": {
      const bound = bindProcedureCall(clause, scope, context);
      return clause.standalone
        ? { clauses: [bound], scope, columns: bound.yields.map((item) => item.variable) }
        : { clauses: [bound], scope };
    }
    case "SubqueryCall":
      return { clauses: [bindSubqueryCall(clause, scope, context, bindQuery)], scope };
    case "LoadCsv":
      return { clauses: [bindLoadCsv(clause, scope, context)], scope };
    case "Finish":
    case "Use":
      return undefined;
  }
}
