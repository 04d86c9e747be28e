import { isIntegerNumber, WholeFloat } from "@trefoil/graph-store";
import { bodyText } from "../json/body-text.ts";
import { JsonError } from "../json/json-error.ts";
import { JsonReader, type JsonValue } from "../json/json-reader.ts";
import { isJsonInput, mediaRanges, textTypeFor } from "../protocol/accept.ts";
import { badInput, PlainError, propertyValueError, RestError } from "./rest-error.ts";
import { type RestCall } from "./rest-call.ts";

export type JsonMap = ReadonlyMap<string, JsonValue>;

/** What a body is read from; the batch makes its own. */
export type RestInput = Pick<RestCall, "headers" | "body">;

/**
 * The value in a body, whatever its kind. What follows the value is not looked at. A form counts as a map.
 *
 * @param empty  what an empty body stands for
 * @throws RestError 400 for what is not JSON, PlainError 415 when it was not declared to be
 */
export function readInput(input: RestInput, empty: JsonValue): JsonValue {
  const [declared] = mediaRanges(input.headers["content-type"] ?? "");
  if (declared?.type === FORM_TYPE) {
    return readForm(input.body.toString("utf8"));
  }
  if (declared?.type === "text/html") {
    throw new PlainError(415, "Cannot read html", textTypeFor(input.headers.accept));
  }
  try {
    const reader = new JsonReader(bodyText(input.body));
    return reader.peek() === -1 ? empty : reader.readValue();
  } catch (error) {
    if (error instanceof JsonError) {
      throw isDeclaredJson(input) ? notJson(error) : unsupportedFormat(input);
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
  throw isDeclaredJson(input) ? badInput({ exception: "ClassCastException", message }) : unsupportedFormat(input);
}

/** Whether there is nothing in a body but blanks. */
export function isBlank({ body }: Pick<RestInput, "body">): boolean {
  return bodyText(body).trim() === "";
}

/** Whether a body says of itself that it is JSON. */
export function isDeclaredJson({ headers }: Pick<RestInput, "headers">): boolean {
  return mediaRanges(headers["content-type"] ?? "").some(({ type }) => type === "application/json");
}

/** For calls that take JSON and nothing else. @throws PlainError 415 */
export function requireJson({ headers }: Pick<RestInput, "headers">): void {
  if (!isJsonInput(headers["content-type"])) {
    throw new PlainError(415, "");
  }
}

/** Whether a body says of itself that it is a form. */
export function isForm({ headers }: Pick<RestInput, "headers">): boolean {
  return mediaRanges(headers["content-type"] ?? "").some(({ type }) => type === FORM_TYPE);
}

const FORM_TYPE = "application/x-www-form-urlencoded";

/** Every name with its text, or the list of its texts when it comes more than once. @throws RestError 400 */
function readForm(text: string): JsonMap {
  const members = new Map<string, string | string[]>();
  for (const pair of text.split("&").filter((part) => part !== "")) {
    const [[name, value] = ["", ""]] = new URLSearchParams(pair);
    if (value === "") {
      throw badInput({ exception: "IllegalArgumentException", message: `A form has name=value, not ${pair}` });
    }
    const present = members.get(name);
    members.set(name, present === undefined ? value : [present, value].flat());
  }
  return members;
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

/** The refusal of a value of a wrong kind where nothing wraps it. */
export function castError(value: JsonValue, wanted: string): RestError {
  return new RestError(400, [{ exception: "ClassCastException", message: castMessage(value, wanted) }]);
}

/** The class that the value would have in the model server. */
export function javaClassOf(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return "java.lang.String";
    case "boolean":
      return "java.lang.Boolean";
    case "number":
      return isIntegerNumber(value) ? integerClass(value) : "java.lang.Double";
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

/** The answer to a body that is not what is wanted, and was not declared to be JSON. */
export function unsupportedFormat({ headers }: Pick<RestInput, "headers">): PlainError {
  const declared = headers["content-type"];
  return new PlainError(
    415,
    "No matching representation format found.\n" +
      (declared === undefined ? "No requested representation format supplied." : `Request format: ${declared}\n`) +
      "Supported representation formats:\n" +
      " * application/json; compact=true\n * application/json; charset=UTF-8; stream=true\n" +
      " * application/json\n * application/x-www-form-urlencoded\n * text/html",
    textTypeFor(headers.accept),
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
