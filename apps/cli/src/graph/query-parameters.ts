import { parseJson, type JsonValue } from "@trefoil/graph-server";
import { CommandFailure } from "../command-failure.ts";

/**
 * `name=value` pairs as parameters of a statement. A value that is JSON is taken as such (`42`, `1.0`, `true`, `[1,2]`),
 * everything else is a text.
 *
 * @throws CommandFailure for a pair without a name
 */
export function parametersFrom(pairs: readonly string[]): ReadonlyMap<string, JsonValue> {
  const parameters = new Map<string, JsonValue>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) {
      throw new CommandFailure(`--param takes name=value, not "${pair}"`);
    }
    parameters.set(pair.slice(0, at), valueFrom(pair.slice(at + 1)));
  }
  return parameters;
}

/** The parameters in a JSON file's text, an object. */
export function parametersFromJson(text: string, file: string): ReadonlyMap<string, JsonValue> {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new CommandFailure(`${file} is not JSON: ${error instanceof Error ? error.message : ""}`, undefined, {
      cause: error,
    });
  }
  if (!(value instanceof Map)) {
    throw new CommandFailure(`${file} must hold a JSON object with the parameters`);
  }
  return value as ReadonlyMap<string, JsonValue>;
}

function valueFrom(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
