import { isBlank, isDeclaredJson, isForm, type JsonMap, readMap, type RestInput } from "./rest-input.ts";
import { badInput, invalidArguments } from "./rest-error.ts";

/**
 * The map in a body with the members it must have, in the order messages list them.
 *
 * @throws RestError 400 naming what is missing
 */
export function readMapWith(input: RestInput, required: readonly string[]): JsonMap {
  const map = readMap(input);
  const missing = required.filter((key) => !map.has(key));
  // What a form lacks is found where it is wanted (graph-measured).
  if (missing.length === 0 || isForm(input)) {
    return map;
  }
  const [only] = missing;
  const message =
    missing.length === 1 ? `Missing required key: "${only}"` : `Missing required keys: [${missing.join(", ")}]`;
  // What is empty, or not declared to be JSON, is refused elsewhere, and so without the wrapping.
  throw isBlank(input) || !isDeclaredJson(input)
    ? invalidArguments(message)
    : badInput({ exception: "InvalidArgumentsException", message });
}
