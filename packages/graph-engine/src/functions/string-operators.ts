import { describeJava } from "../values/legacy-text.ts";
import { typeError } from "../values/query-errors.ts";
import { legacyCastError } from "../values/element-access.ts";
import { type Ternary, type Value } from "../values/value.ts";
import { type FunctionContext } from "./function-context.ts";

/** `text STARTS WITH prefix`; null as soon as a side is null or, in modern mode, no string (2.3 refuses that). */
export function startsWith(text: Value, prefix: Value, context: FunctionContext): Ternary {
  return typeof text === "string" && typeof prefix === "string"
    ? text.startsWith(prefix)
    : notTwoStrings(text, prefix, context);
}

/** `text ENDS WITH suffix`, as {@link startsWith}. */
export function endsWith(text: Value, suffix: Value, context: FunctionContext): Ternary {
  return typeof text === "string" && typeof suffix === "string"
    ? text.endsWith(suffix)
    : notTwoStrings(text, suffix, context);
}

/** `text CONTAINS part`, as {@link startsWith}. */
export function contains(text: Value, part: Value, context: FunctionContext): Ternary {
  return typeof text === "string" && typeof part === "string"
    ? text.includes(part)
    : notTwoStrings(text, part, context);
}

/**
 * `text =~ pattern`: whether the whole of `text` matches a Java regular expression; null when a side is null or the
 * left one no string.
 *
 * @throws InvalidType when the pattern is no string; InvalidArguments when it doesn't parse
 */
export function matchesPattern(text: Value, pattern: Value, context: FunctionContext): Ternary {
  if (text === null || pattern === null) {
    return null;
  }
  if (typeof pattern !== "string") {
    throw context.mode === "2.3"
      ? legacyCastError(pattern, "java.lang.String")
      : typeError("Type mismatch: expected a STRING with a regular expression on the right of =~");
  }
  return typeof text === "string" ? context.patterns.matches(text, pattern, context.mode) : null;
}

function notTwoStrings(left: Value, right: Value, context: FunctionContext): Ternary {
  if (left === null || right === null || context.mode === "modern") {
    return null;
  }
  throw typeError(`Expected two strings, but got ${describeJava(left)} and ${describeJava(right)}`);
}
