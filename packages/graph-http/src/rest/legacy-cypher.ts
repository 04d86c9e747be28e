import { type Engine, type Mode, type StatementResult } from "@trefoil/graph-engine";
import { legacyPlanDescription } from "../formats/plan-description.ts";
import { representationOf, type RepresentationContext } from "../formats/representation.ts";
import { updateStats } from "../formats/update-stats.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { type TextSink } from "../protocol/text-sink.ts";
import { holdsOversizedInteger } from "../transactions/oversized-integers.ts";
import { statementError } from "./cypher-exceptions.ts";
import { representationContext, type RestAnswer, type RestCall, type RestRoute } from "./rest-call.ts";
import { PlainError, RestError } from "./rest-error.ts";
import { CONTENT_TYPES, outputFormatOf } from "./representation-format.ts";
import { isStreamed } from "./list-answer.ts";
import { isBlank, isDeclaredJson, isForm, isMap, type JsonMap, readInput, unsupportedFormat } from "./rest-input.ts";

export interface CypherServices {
  readonly engine: Engine;
  readonly mode: Mode;
  readonly statementTimeoutMs: number | undefined;
}

/** `POST /db/data/cypher`: one statement in a transaction of its own, every value as its representation (graph §4.5). */
export function cypherRoutes(services: CypherServices): readonly RestRoute[] {
  return [{ method: "POST", path: "/db/data/cypher", handle: (call) => runQuery(call, services) }];
}

async function runQuery(call: RestCall, { engine, mode, statementTimeoutMs }: CypherServices): Promise<RestAnswer> {
  const { query, parameters } = readQuery(call);
  refuseHtml(call);
  const includeStats = isSwitchedOn(call, "includeStats");
  const execute = async (): Promise<StatementResult> => {
    const result = await engine.execute(call.unit.transaction, query, parameters, {
      mode,
      signal: call.signal,
      timeoutMs: statementTimeoutMs,
      periodicCommit: call.isJob !== true,
      profile: isSwitchedOn(call, "profile"),
    });
    if ([...parameters.values()].some(holdsOversizedInteger)) {
      result.close();
      const message = "Unsupported property type: class java.math.BigInteger";
      throw new RestError(400, [{ exception: "IllegalArgumentException", message }]);
    }
    return result;
  };
  if (isStreamed(call)) {
    const write = (sink: TextSink): Promise<void> =>
      withStatementErrors(call, execute, (result) => writeResult(result, call, includeStats, sink));
    return { status: 200, stream: { contentType: CONTENT_TYPES.stream, write } };
  }
  const value = await withStatementErrors(call, execute, (result) => resultRepresentation(result, call, includeStats));
  return { status: 200, representation: { type: "map", shape: "result", value } };
}

/** `true` in any case of letters. */
function isSwitchedOn({ query }: RestCall, name: string): boolean {
  return query.get(name)?.toLowerCase() === "true";
}

/** What a statement throws, in the words of this endpoint. */
async function withStatementErrors<T>(
  { headers }: RestCall,
  start: () => Promise<StatementResult>,
  fetch: (result: StatementResult) => Promise<T>,
): Promise<T> {
  let result: StatementResult | undefined;
  try {
    result = await start();
    return await fetch(result);
  } catch (error) {
    throw statementError(error, result !== undefined, outputFormatOf(headers) === "stream") ?? error;
  }
}

async function resultRepresentation(
  result: StatementResult,
  call: RestCall,
  includeStats: boolean,
): Promise<ReadonlyMap<string, JsonValue>> {
  try {
    const context = contextOf(result, call);
    const data: JsonValue[] = [];
    for await (const batch of result.rows) {
      for (const row of batch) {
        data.push(representationOf(row, context));
      }
    }
    return new Map<string, JsonValue>([
      ["columns", columnsOf(result)],
      ["data", data],
      ...afterRows(result, includeStats),
    ]);
  } finally {
    result.close();
  }
}

/** The same as text, row by row. Nothing is written before there is a row: who fails by then has an answer of his own. */
async function writeResult(
  result: StatementResult,
  call: RestCall,
  includeStats: boolean,
  sink: TextSink,
): Promise<void> {
  try {
    const context = contextOf(result, call);
    const head = (columns: readonly string[]): string => `{"columns":${writeJson(columns, "compact")},"data":[`;
    let separator = head(result.columns);
    let hasRows = false;
    for await (const batch of result.rows) {
      if (batch.length > 0) {
        const rows = batch.map((row) => writeJson(representationOf(row, context), "compact")).join(",");
        const isFull = sink.write(separator + rows);
        separator = ",";
        hasRows = true;
        if (isFull) {
          await sink.drain();
        }
      }
    }
    const more = afterRows(result, includeStats).map(([name, value]) => `,"${name}":${writeJson(value, "compact")}`);
    sink.write(`${hasRows ? "" : head(columnsOf(result))}]${more.join("")}}`);
  } finally {
    result.close();
  }
}

function contextOf(result: StatementResult, call: RestCall): RepresentationContext {
  return { ...representationContext(call), graph: { view: result.view, tokens: call.unit.tokens } };
}

/** A statement that was only explained has none. */
function columnsOf({ columns, summary: { plan, profiled } }: StatementResult): readonly string[] {
  return plan !== undefined && !profiled ? [] : columns;
}

function afterRows(
  { summary: { counts, plan, profiled } }: StatementResult,
  includeStats: boolean,
): readonly [string, JsonValue][] {
  return [
    ...(includeStats ? [["stats", updateStats(counts)] as [string, JsonValue]] : []),
    ...(plan === undefined ? [] : [["plan", legacyPlanDescription(plan, profiled)] as [string, JsonValue]]),
  ];
}

/** A result has no page: who asks for one gets an error page (graph-measured). */
function refuseHtml(call: RestCall): void {
  if (outputFormatOf(call.headers) === "html") {
    throw new RestError(400, [{ exception: "WebApplicationException", message: null }]);
  }
}

/**
 * What to run. A body that is declared as JSON and is none, or has no text for `query`, is the server's failure here
 * (graph §7: unescaped quotes give 500); so is a form.
 */
function readQuery(call: RestCall): { readonly query: string; readonly parameters: JsonMap } {
  if (isForm(call) && !isBlank(call)) {
    throw new PlainError(500, "");
  }
  const isDeclared = isDeclaredJson(call);
  const input = readBodyOrFail(call, isDeclared);
  if (!isMap(input)) {
    throw isDeclared || input === null ? new PlainError(500, "") : unsupportedFormat(call);
  }
  const query = input.get("query");
  if (query === undefined) {
    throw new RestError(400, [
      { exception: "InvalidArgumentsException", message: "You have to provide the 'query' parameter." },
    ]);
  }
  if (query === null) {
    throw new RestError(400, [{ exception: "NullPointerException", message: null }]);
  }
  if (typeof query !== "string") {
    throw new PlainError(500, "");
  }
  const parameters = input.get("params") ?? new Map<string, JsonValue>();
  if (!isMap(parameters)) {
    throw new RestError(400, [{ exception: "IllegalArgumentException", message: "Parameters must be a JSON map" }]);
  }
  return { query, parameters };
}

function readBodyOrFail(call: RestCall, isDeclared: boolean): JsonValue {
  try {
    return readInput(call, new Map());
  } catch (error) {
    throw isDeclared && error instanceof RestError ? new PlainError(500, "") : error;
  }
}
