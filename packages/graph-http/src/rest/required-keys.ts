import { isBlank, type RestInput, type JsonMap, readMap } from "./rest-input.ts";
import { badInput, invalidArguments } from "./rest-error.ts";

/**
 * The map in a body with the members it must have, in the order messages list them.
 *
 * @throws RestError 400 naming what is missing
 */
export function readMapWith(input: RestInput, required: readonly string[]): JsonMap {
  const map = readMap(input);
  const missing = required.filter((key) => !map.has(key));
  if (missing.length === 0) {
    return map;
  }
  const [only] = missing;
  const message =
    missing.length === 1 ? `Missing required key: "${only}"` : `Missing required keys: [${missing.join(", ")}]`;
  // An empty body is refused before it is read, and so without the wrapping.
  throw isBlank(input) ? invalidArguments(message) : badInput({ exception: "InvalidArgumentsException", message });
}
