import { type GraphAccess, type StatementResult, type Value } from "@trefoil/graph-engine";
import { type TokenTables } from "@trefoil/graph-store";
import { graphText } from "../formats/graph-format.ts";
import { planDescription } from "../formats/plan-description.ts";
import { representationOf } from "../formats/representation.ts";
import { isPlainRow, rowText } from "../formats/row-format.ts";
import { updateStats } from "../formats/update-stats.ts";
import { writeJson } from "../json/json-writer.ts";
import { escapeSurrogates, stringText } from "../json/string-text.ts";
import { type ResultFormat, type StatementRequest } from "../protocol/statements-request.ts";
import { type AnswerSink } from "./answer-sink.ts";

/** What results are written with. */
export interface ResultContext {
  readonly sink: AnswerSink;
  readonly tokens: TokenTables;
  /** `<base>/db/data`, without a final slash. */
  readonly dataUrl: string;
}

/**
 * Writes one element of `results`: columns, rows as they come, then `stats` and `plan` where they belong. An error among
 * the rows still closes the element, so that what was written stays JSON, and is thrown on (graph-http §4.3).
 */
export async function writeResult(
  result: StatementResult,
  request: StatementRequest,
  context: ResultContext,
): Promise<void> {
  const { sink } = context;
  const graph: GraphAccess = { view: result.view, tokens: context.tokens };
  sink.write(`{"columns":[${result.columns.map(stringText).join(",")}],"data":[`);
  try {
    let separator = "";
    for await (const batch of result.rows) {
      if (batch.length > 0) {
        const isFull = sink.write(separator + batchText(batch, request.formats, graph, context.dataUrl));
        separator = ",";
        if (isFull) {
          await sink.drain();
        }
      }
    }
  } catch (error) {
    sink.write("]}");
    throw error;
  }
  sink.write("]");
  const { counts, plan, profiled } = result.summary;
  if (request.includeStats) {
    sink.write(`,"stats":${writeJson(updateStats(counts), "compact")}`);
  }
  if (plan !== undefined) {
    const root = planDescription(plan, profiled);
    sink.write(`,"plan":${writeJson(new Map([["root", root]]), "compact")}`);
  }
  sink.write("}");
}

/** The elements of `data` for a batch of rows, without the brackets. */
function batchText(
  batch: readonly (readonly Value[])[],
  formats: readonly ResultFormat[],
  graph: GraphAccess,
  dataUrl: string,
): string {
  if (formats.length === 1 && formats[0] === "row" && batch.every(isPlainRow)) {
    return escapeSurrogates(JSON.stringify(batch.map((row) => ({ row }))).slice(1, -1));
  }
  return batch
    .map((row) => `{${formats.map((format) => `"${format}":${FORMATS[format](row, graph, dataUrl)}`).join(",")}}`)
    .join(",");
}

const FORMATS: Readonly<Record<ResultFormat, (row: readonly Value[], graph: GraphAccess, dataUrl: string) => string>> =
  {
    row: rowText,
    graph: graphText,
    rest: (row, graph, dataUrl) =>
      writeJson(representationOf(row, { graph, dataUrl, withExtensions: false }), "compact"),
  };
