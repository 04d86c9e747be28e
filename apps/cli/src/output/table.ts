/**
 * Rows as aligned columns with their titles, two blanks between columns. Numbers stand at the right.
 *
 * @param columns  which fields, in which order; default: those of the first row
 */
export function renderTable(objects: readonly object[], columns?: readonly string[]): string {
  const rows = objects as readonly Readonly<Record<string, unknown>>[];
  const names = columns ?? Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => renderCell(row[name])));
  const widths = names.map((name, index) =>
    Math.max(widthOf(name), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  const isNumeric = names.map(
    (name) => rows.length > 0 && rows.every((row) => ["number", "bigint"].includes(typeof row[name])),
  );
  const renderLine = (line: readonly string[]): string =>
    line
      .map((cell, index) => {
        const padding = " ".repeat((widths[index] ?? 0) - widthOf(cell));
        return isNumeric[index] === true ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd();
  return [names, ...cells].map(renderLine).join("\n");
}

/** Control characters would let a stored value move the cursor or forge other cells. */
function renderCell(value: unknown): string {
  const text =
    value === undefined || value === null
      ? ""
      : Array.isArray(value)
        ? value.map(String).join(", ")
        : typeof value === "object"
          ? JSON.stringify(value)
          : String(value as string | number | boolean | bigint);
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}

/** Columns of a terminal that a text takes: wide characters of East Asia and pictures take two, marks none. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text.normalize("NFC")) {
    if (!/\p{Mark}/u.test(character)) {
      width +=
        /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
          character,
        )
          ? 2
          : 1;
    }
  }
  return width;
}
