import { type Value } from "./value.ts";
import { cellText } from "./value-text.ts";
import { WholeFloat } from "./whole-float.ts";

const TEXTS = new Intl.Collator("en", { numeric: true });

/** An order for the eye: numbers by size, everything else by its text, nothing last. */
export function compareValues(left: Value, right: Value): number {
  if (left === null || right === null) {
    return Number(left === null) - Number(right === null);
  }
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) {
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return TEXTS.compare(cellText(left), cellText(right));
}

function numberOf(value: Value): number | bigint | undefined {
  return typeof value === "number" || typeof value === "bigint"
    ? value
    : value instanceof WholeFloat
      ? value.value
      : undefined;
}
