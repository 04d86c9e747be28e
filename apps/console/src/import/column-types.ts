/** What the texts of a column are turned into. */
export type ColumnType = "text" | "integer" | "float" | "boolean";

export const COLUMN_TYPES: readonly ColumnType[] = ["text", "integer", "float", "boolean"];

const INTEGER = /^[+-]?\d{1,18}$/;
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/** The narrowest type that all given texts fit; numbers with leading zeros are texts, since the zeros would be lost. */
export function guessType(texts: readonly string[]): ColumnType {
  const filled = texts.filter((text) => text !== "");
  const all = (pattern: RegExp): boolean => filled.length > 0 && filled.every((text) => pattern.test(text));
  if (filled.some((text) => /^[+-]?0\d/.test(text))) {
    return "text";
  }
  return all(INTEGER) ? "integer" : all(FLOAT) ? "float" : all(BOOLEAN) ? "boolean" : "text";
}

/** A cell as JSON text, exact to the last digit; what does not fit the type stays a text, an empty cell is null. */
export function cellJson(text: string, type: ColumnType): string {
  if (text === "") {
    return "null";
  }
  switch (type) {
    case "integer":
      return INTEGER.test(text) ? String(BigInt(text)) : JSON.stringify(text);
    case "float":
      return FLOAT.test(text) ? floatText(Number(text)) : JSON.stringify(text);
    case "boolean":
      return BOOLEAN.test(text) ? text.toLowerCase() : JSON.stringify(text);
    case "text":
      return JSON.stringify(text);
  }
}

function floatText(value: number): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
