import {
  type Clause,
  type Expression,
  type Mode,
  type NodePattern,
  type Position,
  type Query,
  QueryError,
} from "@trefoil/cypher";
import { type ProcedureCatalog } from "../procedures/procedure-registry.ts";
import { type TransactionDirectory } from "../procedures/transaction-directory.ts";
import { type FunctionCatalog } from "../functions/function-registry.ts";
import { type BindErrors } from "./bind-error.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type BoundClause, type BoundQuery } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { mayBe, type StaticType, typeName } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** The recursive parts of the binder, which its files reach through the context instead of importing each other. */
export interface Binders {
  readonly expression: (expression: Expression, place: ExpressionPlace) => BoundExpression;
  readonly subquery: (query: Query, scope: Scope, context: BindContext) => BoundQuery;
  readonly update: (clause: UpdatingClause, scope: Scope, context: BindContext) => readonly BoundClause[];
}

/** The clauses that FOREACH may hold. */
export type UpdatingClause = Extract<
  Clause,
  { readonly kind: "Create" | "Merge" | "Set" | "Remove" | "Delete" | "Foreach" }
>;

export interface LegacyIndexName {
  readonly entity: "node" | "relationship";
  readonly index: string;
}

/** What a statement can call. */
export interface Catalogs {
  readonly procedures: ProcedureCatalog;
  readonly functions: FunctionCatalog;
  /** What SHOW TRANSACTIONS shows; undefined where nobody keeps a list. */
  readonly transactions?: TransactionDirectory | undefined;
}

/** Shared by everything that binds one statement. */
export class BindContext {
  readonly mode: Mode;
  readonly errors: BindErrors;
  readonly binders: Binders;
  readonly procedures: ProcedureCatalog;
  readonly functions: FunctionCatalog;
  /** Parameters the statement mentions, to be there when it runs. */
  readonly parameters: Set<string> = new Set<string>();
  /** Legacy indexes the statement asks, which must be there. */
  readonly legacyIndexes: LegacyIndexName[] = [];
  /** Those that stand for arguments of a CALL without parentheses, which must be there even to explain it. */
  readonly implicitArguments: Set<string> = new Set<string>();
  /** Arguments of `length()` that are no paths, which raise a notification. */
  readonly lengthsOfOthers: Position[] = [];
  /** What 2.3 finds out after everything else: told when the rest of the statement is good. */
  readonly laterErrors: Error[] = [];
  /** Nodes that CREATE makes, with their labels as they are written; undefined: with properties too. */
  readonly createdLabels: Map<Variable, string | undefined> = new Map<Variable, string | undefined>();
  /** START stands in the statement: then hints may not. */
  hasStart = false;
  /** USING PERIODIC COMMIT: LOAD CSV commits after so many rows. */
  commitEvery: number | undefined;

  constructor(mode: Mode, errors: BindErrors, catalogs: Catalogs, binders: Binders) {
    this.mode = mode;
    this.errors = errors;
    this.procedures = catalogs.procedures;
    this.functions = catalogs.functions;
    this.binders = binders;
  }

  /** A variable for what has no name in a pattern, called after its place as 2.3's plans and messages do. */
  unnamed(type: StaticType, nullable: boolean, position: Position): Variable {
    return new Variable(`  UNNAMED${position.offset}`, type, nullable);
  }

  /** The type's name as this mode's messages spell it. */
  typeName(type: StaticType): string {
    return typeName(type, this.mode === "2.3" ? "Collection" : "List");
  }
}

/** Where an expression stands: what it sees and what is allowed in it. */
export interface ExpressionPlace {
  readonly context: BindContext;
  readonly scope: Scope;
  /** `nested` is inside another aggregate. */
  readonly aggregates: "allowed" | "forbidden" | "nested";
  /** Where a truth value is asked for, so that a pattern can stand as a predicate. */
  readonly predicate: boolean;
}

/**
 * Resolves names and checks types of an expression where it stands (bind-expression.ts).
 *
 * @throws  QueryError of phase "compile time" for unknown names, types that cannot fit, misplaced aggregates and patterns
 */
export function bindExpression(expression: Expression, place: ExpressionPlace): BoundExpression {
  return place.context.binders.expression(expression, place);
}

/** An expression whose truth decides something: a list may stand for "not empty" in 2.3 only. */
export function bindPredicate(expression: Expression, place: ExpressionPlace): BoundExpression {
  const bound = bindExpression(expression, { ...place, predicate: true });
  checkBoolean(bound, expression, place);
  return bound;
}

export function checkBoolean(bound: BoundExpression, expression: Expression, place: ExpressionPlace): void {
  if (!mayBe(bound.type, "boolean") && !(place.context.mode === "2.3" && bound.type.kind === "list")) {
    throw typeMismatch(place.context, "Boolean", bound.type, expression.position);
  }
}

/** The place of a plain value: no aggregates, no patterns as predicates. */
export function valuePlace(context: BindContext, scope: Scope): ExpressionPlace {
  return { context, scope, aggregates: "forbidden", predicate: false };
}

export function getVariable(place: ExpressionPlace, name: string, position: Position): Variable {
  const variable = place.scope.find(name);
  if (variable === undefined) {
    throw undefinedVariable(place.context, name, position);
  }
  return variable;
}

export function undefinedVariable(context: BindContext, name: string, position: Position): Error {
  const message = context.mode === "2.3" ? `${name} not defined` : `Variable \`${name}\` not defined`;
  return context.errors.syntax(message, position, "UndefinedVariable");
}

export function alreadyDeclared(context: BindContext, name: string, position: Position): Error {
  const message = context.mode === "2.3" ? `${name} already declared` : `Variable \`${name}\` already declared`;
  return context.errors.syntax(message, position, "VariableAlreadyBound");
}

/** What 2.3 says of a known node that a chain describes again. */
export function createdAgain(name: string): Error {
  const message = `Can't create \`${name}\` with properties or labels here. It already exists in this context`;
  return new QueryError("ClientError.Statement.InvalidSyntax", message, { phase: "compile time" });
}

/** Whether a node pattern says more than a name. */
export function isConstrained({ labels, properties }: NodePattern): boolean {
  const isEmpty = properties === undefined || (properties.kind === "MapLiteral" && properties.entries.length === 0);
  return labels !== undefined || !isEmpty;
}

/** `expected` is a list of type names as they read: `Float or Integer`. */
export function typeMismatch(context: BindContext, expected: string, actual: StaticType, position: Position): Error {
  return context.errors.syntax(
    `Type mismatch: expected ${expected} but was ${context.typeName(actual)}`,
    position,
    "InvalidArgumentType",
  );
}

/** A variable stands in a pattern where something else belongs. */
export function typeConflict(context: BindContext, known: Variable, expected: StaticType, position: Position): Error {
  const [wanted, found] = [context.typeName(expected), context.typeName(known.type)];
  return context.errors.syntax(
    context.mode === "2.3"
      ? `Type mismatch: ${known.name} already defined with conflicting type ${found} (expected ${wanted})`
      : `Type mismatch: expected ${wanted} but was ${found}`,
    position,
    "VariableTypeConflict",
  );
}
