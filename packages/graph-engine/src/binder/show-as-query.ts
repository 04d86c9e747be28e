import {
  type Clause,
  type Expression,
  type Position,
  type Projection,
  type ProjectionItem,
  type Query,
  type ShowCommand,
  type TerminateTransactions,
  type Variable,
} from "@trefoil/cypher";

export interface ShownColumn {
  readonly name: string;
  readonly type: string;
  /** Only with YIELD. */
  readonly more?: true;
}

/** The procedure `show.<subject>` that has the rows, and what it is given. */
export interface ShownRows {
  readonly subject: string;
  readonly columns: readonly ShownColumn[];
  readonly argument: Expression;
}

/**
 * A SHOW or TERMINATE command as the query it stands for:
 *
 *     SHOW RANGE INDEXES YIELD name, type WHERE type = 'RANGE' RETURN name
 *     → CALL show.indexes('RANGE') YIELD … WITH name, type WHERE type = 'RANGE' RETURN name
 *
 * Without YIELD the usual columns are given, and `YIELD *` gives all of them.
 */
export function showAsQuery(
  command: ShowCommand | TerminateTransactions,
  { subject, columns, argument }: ShownRows,
): Query {
  const { position } = command;
  const usual = columns.filter((column) => !column.more).map((column) => column.name);
  const all = columns.map((column) => column.name);
  const call: Clause = {
    kind: "ProcedureCall",
    position,
    optional: false,
    namespace: ["show"],
    name: subject,
    arguments: [argument],
    yield: {
      kind: "CallYield",
      position,
      star: false,
      items: all.map((name) => ({ kind: "YieldItem", position, field: name, variable: variable(name, position) })),
      where: undefined,
    },
    standalone: false,
  };
  const yielded = command.yield === undefined ? named(usual, position) : starless(command.yield, all);
  const clauses: Clause[] = [call];
  if (command.where !== undefined || command.return !== undefined) {
    // A condition may look at columns that are not shown.
    const wide = command.yield === undefined ? named(all, position) : yielded;
    clauses.push({ kind: "With", position, projection: wide, where: command.where });
    const shown = command.yield === undefined ? usual : columnsOf(yielded);
    const last = command.return === undefined ? named(shown, position) : starless(command.return, columnsOf(wide));
    clauses.push({ kind: "Return", position, projection: last });
  } else {
    clauses.push({ kind: "Return", position, projection: yielded });
  }
  return {
    kind: "Query",
    position,
    first: { kind: "SingleQuery", position, clauses },
    unions: [],
    periodicCommit: undefined,
  };
}

function named(names: readonly string[], position: Position): Projection {
  const plain = { distinct: false, star: false, orderBy: [], skip: undefined, limit: undefined } as const;
  return { kind: "Projection", position, ...plain, items: names.map((name) => item(name, position)) };
}

/** `*` written out, so that columns keep the order in which they are documented. */
function starless(projection: Projection, names: readonly string[]): Projection {
  const { position } = projection;
  const items = projection.star
    ? [...names.map((name) => item(name, position)), ...projection.items]
    : projection.items;
  return { ...projection, star: false, items };
}

function columnsOf(projection: Projection): readonly string[] {
  return projection.items.map(({ alias, text }) => alias?.name ?? text);
}

function item(name: string, position: Position): ProjectionItem {
  return { kind: "ProjectionItem", position, expression: variable(name, position), alias: undefined, text: name };
}

function variable(name: string, position: Position): Variable {
  return { kind: "Variable", position, name };
}
