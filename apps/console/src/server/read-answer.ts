import { type ExactJson, parseExactJson } from "../values/exact-json.ts";

/** Reading answers without trusting their shape: what is missing or of another kind counts as empty. */

export function parseObject(text: string): ReadonlyMap<string, ExactJson> {
  try {
    return objectOf(parseExactJson(text));
  } catch {
    return EMPTY;
  }
}

export function objectOf(value: ExactJson | undefined): ReadonlyMap<string, ExactJson> {
  return value instanceof Map ? (value as ReadonlyMap<string, ExactJson>) : EMPTY;
}

export function listOf(value: ExactJson | undefined): readonly ExactJson[] {
  return Array.isArray(value) ? (value as readonly ExactJson[]) : [];
}

export function textOf(value: ExactJson | undefined): string {
  return typeof value === "string" ? value : "";
}

export function numberOf(value: ExactJson | undefined): number {
  return typeof value === "string" || typeof value === "boolean" || value === null || value === undefined
    ? 0
    : Number(value);
}

const EMPTY: ReadonlyMap<string, ExactJson> = new Map();
