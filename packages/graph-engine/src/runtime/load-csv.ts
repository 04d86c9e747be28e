import { type CsvFormat, type CsvRows, openCsvRows } from "../load-csv/csv-rows.ts";
import { type Value } from "../values/value.ts";
import { type StatementContext } from "./statement-context.ts";

/** Opens what LOAD CSV is to read, as far as the engine's policy allows. */
export function openCsv(statement: StatementContext, url: Value, format: CsvFormat): Promise<CsvRows> {
  return openCsvRows(url, format, statement.loadCsv);
}
