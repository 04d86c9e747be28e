import { type Engine, type Mode, type StatementResult } from "@trefoil/graph-engine";
import { legacyPlanDescription } from "../formats/plan-description.ts";
import { representationOf } from "../formats/representation.ts";
import { updateStats } from "../formats/update-stats.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { holdsOversizedInteger } from "../transactions/oversized-integers.ts";
import { statementError } from "./cypher-exceptions.ts";
import { representationContext, type RestAnswer, type RestCall, type RestRoute } from "./rest-call.ts";
import { PlainError, RestError } from "./rest-error.ts";
import { outputFormatOf } from "./representation-format.ts";
import { isMap, type JsonMap, readInput, unsupportedFormat } from "./rest-input.ts";

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
  const isProfiled = call.query.get("profile") === "true";
  refuseHtml(call);
  if ([...parameters.values()].some(holdsOversizedInteger)) {
    const message = "Unsupported property type: class java.math.BigInteger";
    throw new RestError(400, [{ exception: "IllegalArgumentException", message }]);
  }
  try {
    const text = isProfiled && !/^\s*PROFILE\b/i.test(query) ? `PROFILE ${query}` : query;
    const result = await engine.execute(call.unit.transaction, text, parameters, {
      mode,
      signal: call.signal,
      timeoutMs: statementTimeoutMs,
      periodicCommit: call.isJob !== true,
    });
    const value = await resultRepresentation(result, call, call.query.get("includeStats") === "true");
    return { status: 200, representation: { type: "map", shape: "result", value } };
  } catch (error) {
    const known = statementError(error);
    if (known === undefined) {
      throw error;
    }
    throw known;
  }
}

async function resultRepresentation(
  result: StatementResult,
  call: RestCall,
  includeStats: boolean,
): Promise<ReadonlyMap<string, JsonValue>> {
  try {
    const context = {
      ...representationContext(call),
      graph: { view: result.view, tokens: call.unit.tokens },
    };
    const data: JsonValue[] = [];
    for await (const batch of result.rows) {
      for (const row of batch) {
        data.push(representationOf(row, context));
      }
    }
    const { counts, plan, profiled } = result.summary;
    const isExplained = plan !== undefined && !profiled;
    const value = new Map<string, JsonValue>([
      ["columns", isExplained ? [] : [...result.columns]],
      ["data", data],
    ]);
    if (includeStats) {
      value.set("stats", updateStats(counts));
    }
    if (plan !== undefined) {
      value.set("plan", legacyPlanDescription(plan, profiled));
    }
    return value;
  } finally {
    result.close();
  }
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
  const contentType = call.headers["content-type"];
  if (contentType?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true) {
    throw new PlainError(500, "");
  }
  const input = readBodyOrFail(call, contentType !== undefined);
  if (!isMap(input)) {
    throw contentType === undefined && input !== null ? unsupportedFormat() : new PlainError(500, "");
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
