import { GraphRequestError } from "../errors.ts";
import { bodyText } from "../json/body-text.ts";
import { JsonError } from "../json/json-error.ts";
import { JsonReader, type JsonToken, type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";

/** How the rows of a result are written; in the order and as often as asked for. `meta` is ours (decisions/0152). */
export type ResultFormat = "row" | "graph" | "rest" | "meta";

/** One element of the `statements` of a request (graph §2). */
export interface StatementRequest {
  readonly statement: string;
  readonly parameters: ReadonlyMap<string, JsonValue>;
  readonly formats: readonly ResultFormat[];
  readonly includeStats: boolean;
}

/**
 * The statements of a request body, one at a time: what stands before a mistake in the body is handed out before the
 * mistake is found, and what follows the closing bracket is never read (graph-http §4.2). A blank body has none.
 *
 * @throws GraphRequestError `ClientError.Request.InvalidFormat` for what is not JSON, not of this shape, or lacks its text
 */
export function* readStatements(body: Buffer): Generator<StatementRequest, void, undefined> {
  try {
    const text = bodyText(body);
    const reader = new JsonReader(text);
    if (reader.peek() === -1 || !openStatements(reader, text)) {
      return;
    }
    do {
      yield readStatement(reader);
    } while (reader.hasNextElement());
  } catch (error) {
    throw error instanceof JsonError ? invalidFormat(`: ${error.withSource}`) : error;
  }
}

/** Reads up to the first element of `statements`; false when there is none. */
function openStatements(reader: JsonReader, body: string): boolean {
  if (reader.peekValueToken() !== "START_OBJECT") {
    throw wrongShape(body);
  }
  reader.skip();
  if (reader.peek() === CLOSE_BRACE) {
    throw wrongShape(body);
  }
  const name = reader.readFieldName();
  if (name !== "statements") {
    throw invalidFormat(`. Expected first field to be 'statements', but was '${name}'.`);
  }
  if (reader.peekValueToken() !== "START_ARRAY") {
    throw wrongShape(body);
  }
  reader.skip();
  if (reader.peek() === CLOSE_BRACKET) {
    reader.skip();
    return false;
  }
  return true;
}

function readStatement(reader: JsonReader): StatementRequest {
  let statement: string | undefined;
  let parameters: ReadonlyMap<string, JsonValue> = NO_PARAMETERS;
  let formats: readonly ResultFormat[] = ROW_ONLY;
  let includeStats = false;
  if (reader.peekValueToken() !== "START_OBJECT") {
    reader.readValue();
    throw noStatement();
  }
  reader.readMembers((name) => {
    switch (name) {
      case "statement":
        statement = readText(reader);
        break;
      case "parameters":
        parameters = readParameters(reader);
        break;
      case "resultDataContents":
        formats = readFormats(reader);
        break;
      case "includeStats":
        includeStats = readBoolean(reader);
        break;
      default:
        reader.readValue();
    }
  });
  if (statement === undefined) {
    throw noStatement();
  }
  return { statement, parameters, formats, includeStats };
}

/** A number or a truth value in the place of a text counts as its digits or word. */
function readText(reader: JsonReader): string | undefined {
  const token = reader.peekValueToken();
  if (token === "START_OBJECT" || token === "START_ARRAY") {
    throw reader.error(`Can not deserialize instance of java.lang.String out of ${token} token`);
  }
  const value = reader.readValue();
  return value === null ? undefined : plainText(value);
}

function readParameters(reader: JsonReader): ReadonlyMap<string, JsonValue> {
  const token = reader.peekValueToken();
  if (token !== "START_OBJECT" && token !== "VALUE_NULL") {
    throw reader.error(`Can not deserialize instance of java.util.LinkedHashMap out of ${token} token`);
  }
  const value = reader.readValue();
  return value instanceof Map ? (value as ReadonlyMap<string, JsonValue>) : NO_PARAMETERS;
}

function readFormats(reader: JsonReader): readonly ResultFormat[] {
  const token = reader.peekValueToken();
  if (token !== "START_ARRAY" && token !== "VALUE_NULL") {
    throw reader.error(`Can not deserialize instance of java.util.ArrayList out of ${token} token`);
  }
  const value = reader.readValue();
  const names = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return names.length === 0 ? ROW_ONLY : names.map(formatOf);
}

function formatOf(name: JsonValue): ResultFormat {
  const format = plainText(name).toLowerCase();
  if (format !== "row" && format !== "graph" && format !== "rest" && format !== "meta") {
    // Clients of the era know this mistake under this code, odd as it is (graph-http §4.2).
    throw new GraphRequestError(
      "DatabaseError.General.UnknownFailure",
      `Invalid result data content specifier: ${plainText(name)}`,
    );
  }
  return format;
}

function plainText(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value, "compact");
}

function readBoolean(reader: JsonReader): boolean {
  const token = reader.peekValueToken();
  if (token !== "VALUE_TRUE" && token !== "VALUE_FALSE") {
    throw reader.error(`Current token (${token}) not of boolean type`);
  }
  return reader.readValue() === true;
}

function wrongShape(body: string): GraphRequestError {
  const found = firstTokens(body).join(", ");
  return invalidFormat(`. Expected [START_OBJECT, FIELD_NAME, START_ARRAY], found [${found}].`);
}

/** The first three tokens of a body, `null` where it ends: only messages need them, so the body is read again. */
function firstTokens(body: string): (JsonToken | "null")[] {
  const reader = new JsonReader(body);
  const first = reader.peekValueToken();
  if (first !== "START_OBJECT" && first !== "START_ARRAY") {
    return [first, "null", "null"];
  }
  reader.skip();
  if (reader.peek() === CLOSE_BRACE || reader.peek() === CLOSE_BRACKET) {
    return [first, first === "START_OBJECT" ? "END_OBJECT" : "END_ARRAY", "null"];
  }
  if (first === "START_OBJECT") {
    reader.readFieldName();
    return [first, "FIELD_NAME", reader.peekValueToken()];
  }
  return [first, ...elementTokens(reader)];
}

function elementTokens(reader: JsonReader): [JsonToken, JsonToken | "null"] {
  const second = reader.peekValueToken();
  if (second === "START_OBJECT" || second === "START_ARRAY") {
    reader.skip();
    const code = reader.peek();
    if (second === "START_OBJECT") {
      return [second, code === CLOSE_BRACE ? "END_OBJECT" : "FIELD_NAME"];
    }
    return [second, code === CLOSE_BRACKET ? "END_ARRAY" : reader.peekValueToken()];
  }
  reader.readValue();
  return [second, reader.hasNextElement() ? reader.peekValueToken() : "END_ARRAY"];
}

function noStatement(): GraphRequestError {
  return new GraphRequestError("ClientError.Request.InvalidFormat", "No statement provided.");
}

function invalidFormat(rest: string): GraphRequestError {
  return new GraphRequestError("ClientError.Request.InvalidFormat", `Unable to deserialize request${rest}`);
}

const CLOSE_BRACKET = 93;
const CLOSE_BRACE = 125;
const NO_PARAMETERS: ReadonlyMap<string, JsonValue> = new Map();
const ROW_ONLY: readonly ResultFormat[] = ["row"];
