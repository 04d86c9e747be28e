import { WholeFloat } from "@trefoil/graph-store";
import { doubleText, isPlainNumber } from "./double-text.ts";
import { type JsonValue } from "./json-reader.ts";
import { stringText } from "./string-text.ts";

/** `pretty`: two blanks per object level and `"key" : value`, as REST answers are; `compact`: no blanks at all. */
export type JsonStyle = "pretty" | "compact";

/** A value as JSON text, integers of any length exact, floats recognisable ({@link doubleText}). */
export function writeJson(value: JsonValue, style: JsonStyle): string {
  return style === "compact" ? compact(value) : pretty(value, "\n");
}

/** A scalar as JSON text. */
export function scalarText(value: null | boolean | string | number | bigint | WholeFloat): string {
  switch (typeof value) {
    case "string":
      return stringText(value);
    case "number":
      return isPlainNumber(value) ? String(value) : doubleText(value);
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return value === null ? "null" : doubleText(value.value);
  }
}

function compact(value: JsonValue): string {
  if (typeof value !== "object" || value === null || value instanceof WholeFloat) {
    return scalarText(value);
  }
  if (isList(value)) {
    return `[${value.map(compact).join(",")}]`;
  }
  const members: string[] = [];
  for (const [name, member] of value) {
    members.push(`${stringText(name)}:${compact(member)}`);
  }
  return `{${members.join(",")}}`;
}

function pretty(value: JsonValue, newLine: string): string {
  if (typeof value !== "object" || value === null || value instanceof WholeFloat) {
    return scalarText(value);
  }
  if (isList(value)) {
    return value.length === 0 ? "[ ]" : `[ ${value.map((element) => pretty(element, newLine)).join(", ")} ]`;
  }
  if (value.size === 0) {
    return "{ }";
  }
  const inner = `${newLine}  `;
  const members: string[] = [];
  for (const [name, member] of value) {
    members.push(`${inner}${stringText(name)} : ${pretty(member, inner)}`);
  }
  return `{${members.join(",")}${newLine}}`;
}

function isList(value: readonly JsonValue[] | ReadonlyMap<string, JsonValue>): value is readonly JsonValue[] {
  return Array.isArray(value);
}
