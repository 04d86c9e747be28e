import { type Engine, type Mode } from "@trefoil/graph-engine";
import { failureOf } from "../errors.ts";
import { representationOf } from "../formats/representation.ts";
import { updateStats } from "../formats/update-stats.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { textTypeFor } from "../protocol/accept.ts";
import { representationContext, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { PlainError, RestError } from "../rest/rest-error.ts";
import { readMap } from "../rest/rest-input.ts";
import { textTable } from "./text-table.ts";

const CONSOLE = "/db/manage/server/console";
const PROMPT = "neo4j-sh (?)$ ";
/** Of one answer: a console shows it as text. */
const MAXIMUM_ROWS = 1000;

export interface ConsoleServices {
  readonly engine: Engine;
  readonly mode: Mode;
  readonly statementTimeoutMs: number | undefined;
}

/** The console of the old administration pages: one engine, which runs statements and answers them as text (graph-http §8). */
export function consoleRoutes(services: ConsoleServices): readonly RestRoute[] {
  return [
    { method: "GET", path: CONSOLE, handle: showConsole },
    { method: "POST", path: CONSOLE, handle: (call) => execute(call, services) },
  ];
}

function showConsole({ baseUrl }: RestCall): RestAnswer {
  const value = new Map<string, JsonValue>([
    ["resources", new Map([["exec", `${baseUrl}${CONSOLE}/`]])],
    ["engines", ["shell"]],
  ]);
  return { status: 200, representation: { type: "service-definition", shape: "map", value } };
}

async function execute(call: RestCall, services: ConsoleServices): Promise<RestAnswer> {
  const input = readMap(call);
  const command = input.get("command");
  const engine = input.get("engine") ?? "shell";
  if (command === undefined) {
    throw new PlainError(400, "Expected command argument not present.", textTypeFor(call.headers.accept));
  }
  if (typeof engine !== "string" || engine.toLowerCase() !== "shell") {
    const message = `Unknown console engine '${String(typeof engine === "string" ? engine : writeJson(engine, "compact"))}'.`;
    throw new RestError(400, [{ exception: "IllegalArgumentException", message }]);
  }
  if (typeof command !== "string") {
    throw new RestError(400, [{ exception: "IllegalArgumentException", message: "Expected command to be a text." }]);
  }
  const output = await outputOf(command.trim().replace(/;$/, ""), call, services);
  return { status: 200, representation: { type: "console", shape: "list", value: [output, PROMPT] } };
}

async function outputOf(statement: string, call: RestCall, services: ConsoleServices): Promise<string> {
  if (statement === "") {
    return "";
  }
  if (statement.toLowerCase() === "help") {
    return "Type a statement of the query language, such as MATCH (n) RETURN count(n);\n";
  }
  const { engine, mode, statementTimeoutMs } = services;
  try {
    const result = await engine.execute(call.unit.transaction, statement, new Map(), {
      mode,
      timeoutMs: statementTimeoutMs,
      signal: call.signal,
    });
    try {
      const context = { ...representationContext(call), graph: { view: result.view, tokens: call.unit.tokens } };
      const rows: string[][] = [];
      let count = 0;
      for await (const batch of result.rows) {
        for (const row of batch) {
          count += 1;
          if (rows.length < MAXIMUM_ROWS) {
            rows.push(row.map((value) => cellText(representationOf(value, context))));
          }
        }
      }
      const changes = Array.from(updateStats(result.summary.counts), ([name, value]) =>
        typeof value === "number" && value > 0 ? `${name.replaceAll("_", " ")}: ${value}\n` : "",
      ).join("");
      return `${textTable(result.columns, rows)}${count} row${count === 1 ? "" : "s"}\n${changes}`;
    } finally {
      result.close();
    }
  } catch (error) {
    const failure = failureOf(error);
    if (failure.unexpected !== undefined) {
      throw error;
    }
    return `${failure.message ?? failure.code}\n`;
  }
}

/** Entities as what they hold, everything else as JSON; texts in quotes. */
function cellText(value: JsonValue): string {
  if (value instanceof Map) {
    const map = value as ReadonlyMap<string, JsonValue>;
    const self = map.get("self");
    if (typeof self === "string" && map.has("data")) {
      return `${self.replace(/^.*\/(node|relationship)\//, (_, kind: string) => (kind === "node" ? "Node " : "Relationship "))}${writeJson(map.get("data") ?? null, "compact")}`;
    }
  }
  return writeJson(value, "compact");
}
