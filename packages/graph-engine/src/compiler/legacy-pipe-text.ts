import { type Clause, type Expression, type Projection, type StatementBody, type Unwind } from "@trefoil/cypher";

/** How the message about a count that is no number names the count. */
export interface CountTexts {
  readonly SKIP: string;
  readonly LIMIT: string;
}

export const plainCountTexts: CountTexts = { SKIP: "SKIP", LIMIT: "LIMIT" };

/**
 * 2.3 shows its pipes in the message about the count of the final SKIP or LIMIT (golden "parameters"):
 * `SkipPipe(UnwindPipe(SingleRowPipe(),{list},x),{count})`. Told for what is unwound and returned; a statement that reads
 * the graph gets the plain word.
 */
export function legacyCountTexts(body: StatementBody): CountTexts {
  if (body.kind !== "Query" || body.unions.length > 0) {
    return plainCountTexts;
  }
  const { clauses } = body.first;
  const last = clauses.at(-1);
  const before = clauses.slice(0, -1);
  if (last?.kind !== "Return" || !before.every(isUnwind)) {
    return plainCountTexts;
  }
  try {
    return countTexts(before, last.projection);
  } catch (error) {
    if (error instanceof NotShownError) {
      return plainCountTexts;
    }
    throw error;
  }
}

/** Something that this module doesn't show as 2.3 did. */
class NotShownError extends Error {}

function isUnwind(clause: Clause): clause is Unwind {
  return clause.kind === "Unwind";
}

function countTexts(unwinds: readonly Unwind[], projection: Projection): CountTexts {
  const names = new Map<string, string>();
  let pipe = "SingleRowPipe()";
  for (const { list, variable } of unwinds) {
    const text = pipeExpression(list, names);
    names.set(variable.name, isShadowed(variable.name, projection) ? freshName(variable) : variable.name);
    pipe = `UnwindPipe(${pipe},${text},${names.get(variable.name) ?? ""})`;
  }
  if (projection.orderBy.length > 0) {
    pipe = sortPipe(pipe, projection, names);
  }
  const counted = (kind: string, count: Expression | undefined): string =>
    count === undefined ? pipe : `${kind}Pipe(${pipe},${pipeExpression(count, names)})`;
  const skip = counted("Skip", projection.skip);
  pipe = skip;
  return {
    SKIP: skip,
    LIMIT: projection.orderBy.length > 0 ? plainCountTexts.LIMIT : counted("Limit", projection.limit),
  };
}

/** A name that is given out again as itself, and sorted by, becomes two. */
function isShadowed(name: string, { items, orderBy }: Projection): boolean {
  return (
    orderBy.length > 0 &&
    items.some(
      ({ alias, expression }) =>
        (alias?.name ?? name) === name && expression.kind === "Variable" && expression.name === name,
    )
  );
}

function freshName({ name, position }: Unwind["variable"]): string {
  return `  ${name}@${position.offset}`;
}

function sortPipe(source: string, { items, orderBy }: Projection, names: ReadonlyMap<string, string>): string {
  const columns = items.map(({ alias, expression, text }) => ({
    name: alias?.name ?? text,
    fresh: `  FRESHID${expression.position.offset}`,
    text: pipeExpression(expression, names),
  }));
  const keys = orderBy.map(({ expression, descending }) => {
    const name = expression.kind === "Variable" ? expression.name : undefined;
    const column = columns.find((each) => each.name === name);
    if (column === undefined) {
      throw new NotShownError();
    }
    return `${descending ? "Descending" : "Ascending"}(${column.fresh})`;
  });
  const projected = columns.map(({ fresh, text }) => `${fresh} -> ${text}`).join(", ");
  return `SortPipe(ProjectionPipe(${source},Map(${projected})),List(${keys.join(", ")}))`;
}

function pipeExpression(expression: Expression, names: ReadonlyMap<string, string>): string {
  switch (expression.kind) {
    case "Parameter":
      return `{${expression.name}}`;
    case "Variable":
      return names.get(expression.name) ?? expression.name;
    case "IntegerLiteral":
    case "StringLiteral":
      return `Literal(${expression.value})`;
    case "BooleanLiteral":
      return String(expression.value);
    case "NullLiteral":
      return "Null()";
    case "ListLiteral":
      return `Collection(List(${expression.items.map((item) => pipeExpression(item, names)).join(", ")}))`;
    default:
      throw new NotShownError();
  }
}
