/** Rows between lines of dashes, as the shells of the era print them. */
export function textTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (columns.length === 0) {
    return "";
  }
  const widths = columns.map((column, index) =>
    rows.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), column.length),
  );
  const line = `+${"-".repeat(widths.reduce((sum, width) => sum + width + 3, -1))}+\n`;
  const render = (cells: readonly string[]): string =>
    `| ${widths.map((width, index) => (cells[index] ?? "").padEnd(width)).join(" | ")} |\n`;
  return line + render(columns) + line + rows.map(render).join("") + line;
}
