import { type EntityKind, type Projection } from "./clauses.ts";
import {
  type Expression,
  type MapLiteral,
  type Name,
  type Parameter,
  type TypeExpression,
  type Variable,
} from "./expressions.ts";
import { type Node } from "./node.ts";

export type SchemaCommand = CreateIndex | DropIndex | CreateConstraint | DropConstraint;

export type IndexType = "default" | "range" | "text" | "point" | "lookup" | "fulltext" | "vector" | "btree";

/** `CREATE INDEX ON :L(p)` and `CREATE [type] INDEX [name] [IF NOT EXISTS] FOR (n:L) ON (n.p, …) [OPTIONS {…}]`. */
export interface CreateIndex extends Node<"CreateIndex"> {
  /** The 2.x form: no name, and no error where the index exists. */
  readonly legacy: boolean;
  readonly type: IndexType;
  readonly name: Name | Parameter | undefined;
  readonly ifNotExists: boolean;
  readonly entity: EntityKind;
  /** Empty for lookup indexes; several for full-text ones. */
  readonly labels: readonly Name[];
  /** Empty for lookup indexes. */
  readonly properties: readonly Name[];
  readonly options: MapLiteral | Parameter | undefined;
}

export interface DropIndex extends Node<"DropIndex"> {
  readonly target:
    | (Node<"ByName"> & { readonly name: Name | Parameter; readonly ifExists: boolean })
    /** `DROP INDEX ON :L(p)`. */
    | (Node<"BySchema"> & { readonly label: Name; readonly properties: readonly Name[] });
}

export type ConstraintRequirement =
  | Node<"Unique">
  | Node<"NodeKey">
  | Node<"RelationshipKey">
  | Node<"Exists">
  | (Node<"Typed"> & { readonly type: TypeExpression });

/** What a constraint says: `(n:L)` or `()-[r:T]-()`, the properties, and what they must be. */
export interface ConstraintDefinition extends Node<"ConstraintDefinition"> {
  readonly entity: EntityKind;
  readonly variable: Variable;
  readonly label: Name;
  readonly properties: readonly Name[];
  readonly requirement: ConstraintRequirement;
}

export interface CreateConstraint extends Node<"CreateConstraint"> {
  /** `ON … ASSERT …` without a name: no error where the constraint exists. */
  readonly legacy: boolean;
  readonly name: Name | Parameter | undefined;
  readonly ifNotExists: boolean;
  readonly definition: ConstraintDefinition;
  readonly options: MapLiteral | Parameter | undefined;
}

export interface DropConstraint extends Node<"DropConstraint"> {
  readonly target:
    | (Node<"ByName"> & { readonly name: Name | Parameter; readonly ifExists: boolean })
    | (Node<"ByDefinition"> & { readonly definition: ConstraintDefinition });
}

export type ShowSubject =
  | "indexes"
  | "constraints"
  | "procedures"
  | "functions"
  | "transactions"
  | "settings"
  | "databases"
  | "users";

/** `SHOW RANGE INDEXES YIELD name, type WHERE … RETURN …`. */
export interface ShowCommand extends Node<"ShowCommand"> {
  readonly subject: ShowSubject;
  /** Words before the subject in upper case with single blanks (`RANGE`, `BUILT IN`, `ALL`), or `undefined`. */
  readonly filter: string | undefined;
  /** Ids or names after the subject: `SHOW TRANSACTIONS 'a', 'b'`. */
  readonly ids: readonly Expression[];
  /** `EXECUTABLE [BY CURRENT USER | BY name]`; the text is the user's name, empty for the current one. */
  readonly executableBy: string | undefined;
  readonly yield: Projection | undefined;
  readonly where: Expression | undefined;
  readonly return: Projection | undefined;
}

export interface TerminateTransactions extends Node<"TerminateTransactions"> {
  readonly ids: readonly Expression[];
  readonly yield: Projection | undefined;
  readonly where: Expression | undefined;
  readonly return: Projection | undefined;
}
