import { type Position } from "../errors.ts";
import { type Clause } from "./clauses.ts";
import { type SchemaCommand, type ShowCommand, type TerminateTransactions } from "./commands.ts";
import { type IntegerLiteral } from "./expressions.ts";
import { type Mode, type Node } from "./node.ts";

export interface Statement extends Node<"Statement"> {
  /** The whole text as received, prefixes included; all positions count in it. */
  readonly text: string;
  /** The mode the body was parsed in, after the prefix had its say. */
  readonly mode: Mode;
  readonly prefix: Prefix;
  readonly body: StatementBody;
}

/** What stands before a statement: `CYPHER 2.3 planner=rule`, `EXPLAIN`, `PROFILE`, `PLANNER COST`. */
export interface Prefix extends Node<"Prefix"> {
  readonly execution: "normal" | "explain" | "profile";
  /** `1.9`, `2.2`, `2.3`, `5` or `25`, when one is given. */
  readonly version: string | undefined;
  /** Planner, runtime and other `name=value` pairs, lower-case, in order. */
  readonly options: readonly PrefixOption[];
  /** Where the deprecated `PLANNER <name>` form stands, which raises a notification. */
  readonly deprecatedPlanner: Position | undefined;
}

export interface PrefixOption extends Node<"PrefixOption"> {
  readonly name: string;
  readonly value: string;
}

export type StatementBody = Query | SchemaCommand | ShowCommand | TerminateTransactions;

/** One or more single queries joined by `UNION`; also the body of every `{ … }` subquery. */
export interface Query extends Node<"Query"> {
  readonly first: SingleQuery;
  readonly unions: readonly Union[];
  /** `USING PERIODIC COMMIT [n]`; only at the top, and only before `LOAD CSV`. */
  readonly periodicCommit: PeriodicCommit | undefined;
}

export interface Union extends Node<"Union"> {
  readonly all: boolean;
  readonly query: SingleQuery;
}

export interface PeriodicCommit extends Node<"PeriodicCommit"> {
  readonly batchSize: IntegerLiteral | undefined;
}

export interface SingleQuery extends Node<"SingleQuery"> {
  /** At least one, except in `EXISTS { pattern }`, which is written as a `Match`. */
  readonly clauses: readonly Clause[];
}
