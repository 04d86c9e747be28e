import path from "node:path";
import { must, unreachable } from "@trefoil/base";
import type { KeyDefinition } from "../keys/key-definition.ts";

export type ParsedValue = string | number | boolean | readonly string[];

/** A value that its key does not take: `allowed` says what it takes. */
export class BadValue extends Error {
  readonly allowed: string;

  constructor(allowed: string) {
    super(allowed);
    this.allowed = allowed;
  }
}

const switchWords: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["on", true],
  ["yes", true],
  ["false", false],
  ["off", false],
  ["no", false],
]);

/**
 * What a written value means.
 *
 * @param baseDirectory  what a relative path is below
 * @returns              durations in milliseconds, sizes in bytes, paths absolute
 * @throws               BadValue
 */
export function parseValue(definition: KeyDefinition, text: string, baseDirectory: string): ParsedValue {
  const trimmed = text.trim();
  switch (definition.type) {
    case "text":
      return refuseUnless(trimmed !== "", trimmed, definition);
    case "path":
      return path.resolve(baseDirectory, refuseUnless(trimmed !== "", trimmed, definition));
    case "port":
    case "integer":
      return parseInteger(definition, trimmed);
    case "switch":
      return switchWords.get(trimmed.toLowerCase()) ?? refuse(definition);
    case "choice":
      return (
        must(definition.allowed, "a choice has its allowed values").find(
          (choice) => choice.toLowerCase() === trimmed.toLowerCase(),
        ) ?? refuse(definition)
      );
    case "duration":
      return parseQuantity(trimmed, durationUnitsMs, "s") ?? refuse(definition);
    case "size":
      return parseSize(trimmed) ?? refuse(definition);
    case "url":
      return refuseUnless(URL.canParse(trimmed) && /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed), trimmed, definition);
    case "list":
      return trimmed
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    default:
      return unreachable(definition.type);
  }
}

/** What a key takes, as a phrase: "a whole number from 0 to 65535". */
export function describeAllowed(definition: KeyDefinition): string {
  switch (definition.type) {
    case "text":
      return "any text but none";
    case "path":
      return "a path";
    case "port":
    case "integer":
      return `a whole number from ${rangeOf(definition).join(" to ")}`;
    case "switch":
      return "true or false (also on, off, yes, no)";
    case "choice":
      return `one of ${must(definition.allowed, "a choice has its allowed values").join(", ")}`;
    case "duration":
      return "a number with ms, s, m, h or d (seconds without a unit)";
    case "size":
      return "a number of bytes, or one with k, m, g or t";
    case "url":
      return "a URL with its scheme";
    case "list":
      return "words separated by commas";
    default:
      return unreachable(definition.type);
  }
}

const durationUnitsMs: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);
const sizeUnitsBytes: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["b", 1],
  ["k", 1024],
  ["m", 1024 ** 2],
  ["g", 1024 ** 3],
  ["t", 1024 ** 4],
  ["kib", 1024],
  ["mib", 1024 ** 2],
  ["gib", 1024 ** 3],
  ["tib", 1024 ** 4],
]);

/** Bytes as people write them, `512m` or `10GiB`; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  return parseQuantity(text, sizeUnitsBytes, "");
}

function parseQuantity(text: string, units: ReadonlyMap<string, number>, defaultUnit: string): number | undefined {
  const [, digits, unit] = /^(\d{1,15})\s*([a-z]*)$/i.exec(text) ?? [];
  const factor = units.get((unit === "" ? defaultUnit : unit)?.toLowerCase() ?? "");
  const value = Number(digits) * (factor ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

function parseInteger(definition: KeyDefinition, text: string): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  const [minimum, maximum] = rangeOf(definition);
  return value >= minimum && value <= maximum ? value : refuse(definition);
}

function rangeOf(definition: KeyDefinition): [minimum: number, maximum: number] {
  return definition.type === "port"
    ? [0, 65535]
    : [definition.minimum ?? 0, definition.maximum ?? Number.MAX_SAFE_INTEGER];
}

function refuseUnless(condition: boolean, value: string, definition: KeyDefinition): string {
  return condition ? value : refuse(definition);
}

function refuse(definition: KeyDefinition): never {
  throw new BadValue(describeAllowed(definition));
}
