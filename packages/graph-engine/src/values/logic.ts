import { describeJava } from "./legacy-text.ts";
import { type Mode } from "@trefoil/cypher";
import { typeError } from "./query-errors.ts";
import { type Ternary, type Value } from "./value.ts";
import { isList, isMap } from "./value-kind.ts";

/**
 * A value in boolean position. In 2.3 a list counts as "is not empty" (so patterns act as predicates) and a map as true.
 *
 * @throws InvalidType for anything else
 * @source cypher.md §4.5
 */
export function truthOf(value: Value, mode: Mode): Ternary {
  const truth = findTruth(value, mode);
  if (truth === undefined) {
    throw typeError(`Don't know how to treat that as a predicate: ${describeJava(value)}`);
  }
  return truth;
}

/** `left AND right`: false wins over everything, in 2.3 even over a value that is no predicate. */
export function and(left: Value, right: Value, mode: Mode): Ternary {
  if (typeof left === "boolean" && typeof right === "boolean") {
    return left && right;
  }
  return combine(left, right, mode, false);
}

/** `left OR right`: true wins over everything, in 2.3 even over a value that is no predicate. */
export function or(left: Value, right: Value, mode: Mode): Ternary {
  if (typeof left === "boolean" && typeof right === "boolean") {
    return left || right;
  }
  return combine(left, right, mode, true);
}

/** `left XOR right`: null when either side is. */
export function xor(left: Value, right: Value, mode: Mode): Ternary {
  const a = truthOf(left, mode);
  const b = truthOf(right, mode);
  return a === null || b === null ? null : a !== b;
}

/** `NOT value`. */
export function not(value: Value, mode: Mode): Ternary {
  const truth = truthOf(value, mode);
  return truth === null ? null : !truth;
}

/** AND with `winner` false, OR with `winner` true. */
function combine(left: Value, right: Value, mode: Mode, winner: boolean): Ternary {
  if (mode === "2.3" && (findTruth(left, mode) === winner || findTruth(right, mode) === winner)) {
    return winner;
  }
  const a = truthOf(left, mode);
  const b = truthOf(right, mode);
  if (a === winner || b === winner) {
    return winner;
  }
  return a === null || b === null ? null : !winner;
}

function findTruth(value: Value, mode: Mode): Ternary | undefined {
  if (typeof value === "boolean" || value === null) {
    return value;
  }
  if (mode === "2.3") {
    return isList(value) ? value.length > 0 : isMap(value) ? true : undefined;
  }
  return undefined;
}
