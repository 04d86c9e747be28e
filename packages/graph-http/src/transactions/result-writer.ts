import { type GraphAccess, type Mode, type StatementResult, type Value } from "@trefoil/graph-engine";
import { type TokenTables } from "@trefoil/graph-store";
import { metaText } from "../console/meta-format.ts";
import { graphText, graphTextUntilDeleted } from "../formats/graph-format.ts";
import { planDescription } from "../formats/plan-description.ts";
import { representationOf } from "../formats/representation.ts";
import { DeletedEntityError, UnfinishedRestError } from "../formats/deleted-entity-error.ts";
import { isPlainRow, rowText, rowTextUntilDeleted } from "../formats/row-format.ts";
import { updateStats } from "../formats/update-stats.ts";
import { writeJson } from "../json/json-writer.ts";
import { escapeSurrogates, stringText } from "../json/string-text.ts";
import { type ResultFormat, type StatementRequest } from "../protocol/statements-request.ts";
import { type TextSink } from "../protocol/text-sink.ts";

/** What results are written with. */
export interface ResultContext {
  readonly sink: TextSink;
  readonly tokens: TokenTables;
  /** `<base>/db/data`, without a final slash. */
  readonly dataUrl: () => string;
  readonly mode: Mode;
}

/**
 * Writes one element of `results`: columns, rows as they come, then `stats` and `plan` where they belong. An error among
 * the rows still closes the element, so that what was written stays JSON, and is thrown on; a statement that writes to
 * the graph and fails before its first row has no element, since it never gets as far as results (graph-http §4.3).
 */
export async function writeResult(
  result: StatementResult,
  request: StatementRequest,
  separator: string,
  context: ResultContext,
): Promise<void> {
  const { sink } = context;
  const graph: GraphAccess = { view: result.view, tokens: context.tokens };
  let rowSeparator = separator + headText(result.columns);
  let hasRows = false;
  try {
    for (let next = result.next(); ; next = result.next()) {
      // A promise that is there already would still cost a turn.
      const batch = next instanceof Promise ? await next : next;
      if (batch === undefined) {
        break;
      }
      if (batch.length > 0) {
        const { text, error, failed } = batchText(batch, request.formats, graph, context.dataUrl);
        const isFull = sink.write(rowSeparator + text);
        rowSeparator = ",";
        hasRows = true;
        if (error !== undefined) {
          throw failed === "rest" && context.mode === "2.3" ? new UnfinishedRestError() : error;
        }
        if (isFull) {
          await sink.drain();
        }
      }
    }
  } catch (error) {
    if (error instanceof UnfinishedRestError) {
      // Neither the rows nor the result are closed, as the 2.3 server left it.
    } else if (hasRows) {
      sink.write("]}");
    } else if (result.queryType === "r") {
      sink.write(`${rowSeparator}]}`);
    }
    throw error;
  }
  const { counts, plan, profiled } = result.summary;
  if (!hasRows) {
    // A statement that was only explained has no columns.
    sink.write(plan === undefined || profiled ? rowSeparator : separator + headText([]));
  }
  sink.write("]");
  if (request.includeStats) {
    sink.write(`,"stats":${writeJson(updateStats(counts), "compact")}`);
  }
  if (plan !== undefined) {
    const root = planDescription(plan, profiled);
    sink.write(`,"plan":${writeJson(new Map([["root", root]]), "compact")}`);
  }
  sink.write("}");
}

/** Up to the first row. Columns are those of a plan, which is kept. */
function headText(columns: readonly string[]): string {
  let text = HEADS.get(columns);
  if (text === undefined) {
    text = `{"columns":[${columns.map(stringText).join(",")}],"data":[`;
    HEADS.set(columns, text);
  }
  return text;
}

const HEADS = new WeakMap<readonly string[], string>();

/** The elements of `data` for a batch of rows, without the brackets; with an error the last one breaks off in a format. */
function batchText(
  batch: readonly (readonly Value[])[],
  formats: readonly ResultFormat[],
  graph: GraphAccess,
  dataUrl: () => string,
): { readonly text: string; readonly error?: DeletedEntityError; readonly failed?: ResultFormat | undefined } {
  if (formats.length === 1 && formats[0] === "row" && batch.every(isPlainRow)) {
    return { text: escapeSurrogates(JSON.stringify(batch.map((row) => ({ row }))).slice(1, -1)) };
  }
  const elements: string[] = [];
  for (const row of batch) {
    const members: string[] = [];
    try {
      for (const format of formats) {
        members.push(`"${format}":${FORMATS[format](row, graph, dataUrl)}`);
      }
    } catch (error) {
      if (!(error instanceof DeletedEntityError)) {
        throw error;
      }
      const format = formats[members.length];
      if (format === "row") {
        members.push(`"row":${rowTextUntilDeleted(row, graph)}`);
      } else if (format === "rest" && members.length === 0) {
        members.push('"rest":[{}]');
      } else if (format === "graph") {
        members.push(`"graph":${graphTextUntilDeleted(row, graph)}`);
      }
      elements.push(`{${members.join(",")}}`);
      return { text: elements.join(","), error, failed: format };
    }
    elements.push(`{${members.join(",")}}`);
  }
  return { text: elements.join(",") };
}

const FORMATS: Readonly<
  Record<ResultFormat, (row: readonly Value[], graph: GraphAccess, dataUrl: () => string) => string>
> = {
  row: rowText,
  graph: graphText,
  meta: metaText,
  rest: (row, graph, dataUrl) =>
    writeJson(representationOf(row, { graph, dataUrl: dataUrl(), withExtensions: false }), "compact"),
};
