import { type EntityKind } from "./definitions.ts";
import { hashText } from "../columns/text.ts";

/** The name of an index or constraint that was given none: the same definition gets the same name everywhere. */
export function generatedName(
  what: "index" | "constraint",
  kind: string,
  entity: EntityKind,
  tokens: readonly string[],
  properties: readonly string[],
): string {
  const hash = hashText(JSON.stringify([what, kind, entity, tokens, properties])) >>> 0;
  return `${what}_${hash.toString(16).padStart(8, "0")}`;
}
