import { type StatementAnswer } from "../server/run-statement.ts";
import { cellText } from "../values/value-text.ts";
import { valueJson } from "../values/value-json.ts";
import { type Value } from "../values/value.ts";

/** Rows as CSV: a header, quotes where needed, lines ended as RFC 4180 wants them; null is an empty field. */
export function csvText({ columns, rows }: Pick<StatementAnswer, "columns" | "rows">): string {
  const line = (fields: readonly string[]): string => `${fields.map(csvField).join(",")}\r\n`;
  return line(columns) + rows.map((row) => line(row.map(csvValue))).join("");
}

/** Rows as a JSON array of objects, a member per column, every digit kept. */
export function jsonText({ columns, rows }: Pick<StatementAnswer, "columns" | "rows">): string {
  const objects = rows.map((row) => {
    const members = columns.map(
      (column, index) => `    ${JSON.stringify(column)}: ${valueJson(row[index] ?? null, "    ")}`,
    );
    return `  {\n${members.join(",\n")}\n  }`;
  });
  return `[\n${objects.join(",\n")}\n]\n`;
}

function csvValue(value: Value): string {
  return value === null ? "" : cellText(value);
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
}
