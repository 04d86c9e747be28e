import { WholeFloat } from "@trefoil/graph-store";
import { bodyText } from "../json/body-text.ts";
import { JsonError } from "../json/json-error.ts";
import { JsonReader, type JsonValue } from "../json/json-reader.ts";
import { badInput, PlainError, propertyValueError, RestError } from "./rest-error.ts";
import { type RestCall } from "./rest-call.ts";

export type JsonMap = ReadonlyMap<string, JsonValue>;

/** What a body is read from; the batch makes its own. */
export type RestInput = Pick<RestCall, "headers" | "body">;

/**
 * The value in a body, whatever its kind. What follows the value is not looked at. A form counts as a map of strings.
 *
 * @param empty  what an empty body stands for
 * @throws RestError 400 for what is not JSON, PlainError 415 when it was not even declared to be
 */
export function readInput(input: RestInput, empty: JsonValue): JsonValue {
  const contentType = input.headers["content-type"];
  if (contentType?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true) {
    return new Map<string, JsonValue>(new URLSearchParams(input.body.toString("utf8")));
  }
  try {
    const reader = new JsonReader(bodyText(input.body));
    return reader.peek() === -1 ? empty : reader.readValue();
  } catch (error) {
    if (error instanceof JsonError) {
      throw contentType === undefined ? unsupportedFormat() : notJson(error);
    }
    throw error;
  }
}

/** The map in a body; an empty body and `null` are an empty map. */
export function readMap(input: RestInput): JsonMap {
  const value = readInput(input, EMPTY_MAP) ?? EMPTY_MAP;
  if (isMap(value)) {
    return value;
  }
  const message = castMessage(value, "java.util.Map");
  throw badInput({ exception: "ClassCastException", message });
}

export function isMap(value: JsonValue | undefined): value is JsonMap {
  return value instanceof Map;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A value of a wrong kind, in the words that clients know. */
export function castMessage(value: JsonValue, wanted: string): string {
  return `${javaClassOf(value)} cannot be cast to ${wanted}`;
}

/** The class that the value would have in the model server. */
export function javaClassOf(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return "java.lang.String";
    case "boolean":
      return "java.lang.Boolean";
    case "number":
      return Number.isInteger(value) ? integerClass(value) : "java.lang.Double";
    case "bigint":
      return BigInt.asIntN(64, value) === value ? "java.lang.Long" : "java.math.BigInteger";
    default:
      if (value instanceof WholeFloat) {
        return "java.lang.Double";
      }
      return isList(value) ? "java.util.ArrayList" : value === null ? "null" : "java.util.LinkedHashMap";
  }
}

/** A value as the model server would print it: `{b=1}`, `[1, 2]`. */
export function javaText(value: JsonValue): string {
  if (isList(value)) {
    return `[${value.map(javaText).join(", ")}]`;
  }
  if (isMap(value)) {
    return `{${Array.from(value, ([name, member]) => `${name}=${javaText(member)}`).join(", ")}}`;
  }
  return value instanceof WholeFloat ? `${value.value}.0` : String(value);
}

/** The refusal of what no property can be. */
export function unsupportedValueType(value: JsonValue): RestError {
  return propertyValueError(
    `Unsupported value type class ${javaClassOf(value)}. Supported value types are all java primitives (byte, char, short, int, long, float, double) and String, as well as arrays of all those types`,
  );
}

/** The answer to a body that is no JSON and was not declared at all. */
export function unsupportedFormat(): PlainError {
  return new PlainError(
    415,
    "No matching representation format found.\nNo requested representation format supplied." +
      "Supported representation formats:\n" +
      " * application/json; compact=true\n * application/json; charset=UTF-8; stream=true\n" +
      " * application/json\n * application/x-www-form-urlencoded\n * text/html\n",
    "application/json",
  );
}

function notJson(error: JsonError): RestError {
  const message = error.withPlace;
  return new RestError(400, [
    { exception: "BadInputException", message },
    { exception: "JsonParseException", message },
  ]);
}

function integerClass(value: number): string {
  return value >= -2147483648 && value <= 2147483647 ? "java.lang.Integer" : "java.lang.Long";
}

const EMPTY_MAP: JsonMap = new Map();
