import { type Value } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";

const MAXIMUM_WIDTH = 80;

/** A table drawn with box characters; long cells are cut. */
export function textTable(columns: readonly string[], rows: readonly (readonly Value[])[]): string {
  const cells = rows.map((row) => row.map((value) => cut(valueText(value).replaceAll(/\s+/g, " "))));
  const widths = columns.map((column, index) =>
    Math.max(lengthOf(column), ...cells.map((row) => lengthOf(row[index] ?? ""))),
  );
  const rule = (left: string, cross: string, right: string): string =>
    left + widths.map((width) => "─".repeat(width + 2)).join(cross) + right;
  const line = (texts: readonly string[]): string =>
    `│${widths.map((width, index) => ` ${pad(texts[index] ?? "", width)} `).join("│")}│`;
  return [rule("┌", "┬", "┐"), line(columns), rule("├", "┼", "┤"), ...cells.map(line), rule("└", "┴", "┘")].join("\n");
}

function cut(text: string): string {
  return text.length > MAXIMUM_WIDTH ? `${text.slice(0, MAXIMUM_WIDTH - 1)}…` : text;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(width - lengthOf(text));
}
