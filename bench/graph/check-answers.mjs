/** An engine gave other rows than the bare loops. */
export class WrongAnswer extends Error {}

/** Rows in any order must be those of the bare loops. @throws WrongAnswer */
export async function checkAnswers(engine, row, graph, turn) {
  const parameters = row.parameters(turn);
  const rows = await engine.run(textFor(engine, row), parameters, { writes: row.writes === true, rows: true });
  if (row.expected === undefined) {
    return;
  }
  const found = rows.map((values) => lineOf(values.map(engine.plain))).toSorted();
  const wanted = row.expected(graph, parameters).map(lineOf).toSorted();
  if (found.length !== wanted.length || found.some((text, index) => text !== wanted[index])) {
    throw new WrongAnswer(
      `${engine.name}: wrong answer to "${row.name}": ${found.slice(0, 3)} for ${wanted.slice(0, 3)}`,
    );
  }
}

/** The statement in the engine's own words. */
export function textFor(engine, row) {
  const dialect = row.dialects?.[engine.name];
  if (dialect !== undefined) {
    return dialect;
  }
  return engine.indexed ? row.text : row.text.replaceAll(/(\w+)\.id (=|IN) /gu, "id($1) $2 ");
}

/** Engines differ in the last digits of an average. */
function lineOf(values) {
  return JSON.stringify(
    values.map((value) => (typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(9) : value)),
  );
}
