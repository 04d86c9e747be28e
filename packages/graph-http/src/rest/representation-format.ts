import { type IncomingHttpHeaders } from "node:http";
import { mediaRanges, nameOf, textTypeFor } from "../protocol/accept.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { browsablePage } from "./browsable-page.ts";
import { PlainError } from "./rest-error.ts";

/** The ways a REST answer can be asked for (graph-http §1, graph-measured); a form is only ever read. */
export type OutputFormat = "json" | "stream" | "compact" | "html" | "form";

/** What an answer represents: its name in refusals, and which formats know how to write it. */
export interface Representation {
  /** `node`, `properties`, `strings`, …: the word in `Cannot represent "…" as html`. */
  readonly type: string;
  /** `entity`: a node or relationship; `entities`: a list of them; `root`: a service root. */
  readonly shape: "entity" | "entities" | "list" | "scalar" | "map" | "root" | "result" | "error";
  readonly value: JsonValue;
}

export const CONTENT_TYPES: Readonly<Record<OutputFormat, string>> = {
  json: "application/json; charset=UTF-8",
  stream: "application/json; charset=UTF-8; stream=true",
  compact: "application/json; charset=UTF-8; compact=true",
  html: "text/html; charset=UTF-8",
  form: "application/json; charset=UTF-8",
};

/**
 * The format a request asks for; JSON when it asks for nothing we have. A range asks for a format when it is spelled
 * like its type, parameters and all. `X-Stream: true` makes a stream of JSON that is asked for by name (graph-measured).
 */
export function outputFormatOf(headers: IncomingHttpHeaders): OutputFormat {
  const ranges = mediaRanges(headers.accept ?? "");
  if (hasStreamHeader(headers) && ranges.some(({ type }) => type === "application/json")) {
    return "stream";
  }
  const named = ranges.map((range) => FORMATS_BY_NAME[nameOf(range)]);
  return named.find((format) => format !== undefined) ?? "json";
}

const FORMATS_BY_NAME: Readonly<Record<string, OutputFormat>> = {
  "application/json": "json",
  "application/json;charset=utf-8;stream=true": "stream",
  "application/json;compact=true": "compact",
  "text/html": "html",
  "application/x-www-form-urlencoded": "form",
};

/** `X-Stream: true`, in any case of letters. */
export function hasStreamHeader(headers: IncomingHttpHeaders): boolean {
  return String(headers["x-stream"]).toLowerCase() === "true";
}

/**
 * A representation as the text of an answer.
 *
 * @param accept  what the client accepts: a refusal is of the type it wants most
 * @throws PlainError 406 where the format has no way to write it
 */
export function formatRepresentation(
  representation: Representation,
  format: OutputFormat,
  accept: string | undefined,
): string {
  const { shape, type, value } = representation;
  switch (format) {
    case "json":
      return writeJson(value, "pretty");
    case "stream":
      return writeJson(value, "compact");
    case "compact":
      if (shape === "map" || shape === "root") {
        throw notRepresentable(type, "compactJson", accept);
      }
      return writeJson(shape === "entity" ? compactEntity(value) : value, "pretty");
    case "html":
      if (shape !== "entity" && shape !== "entities" && shape !== "root" && shape !== "error") {
        throw notRepresentable(type, "html", accept);
      }
      return browsablePage(representation);
    case "form":
      if (shape !== "error") {
        throw notRepresentable(type, "form", accept);
      }
      return writeJson(value, "pretty");
  }
}

function notRepresentable(type: string, format: string, accept: string | undefined): PlainError {
  return new PlainError(406, `Cannot represent "${type}" as ${format}`, textTypeFor(accept));
}

/** `compact=true` keeps of an entity where it is and what it holds. */
function compactEntity(value: JsonValue): JsonValue {
  if (!(value instanceof Map)) {
    return value;
  }
  const entity = value as ReadonlyMap<string, JsonValue>;
  return new Map<string, JsonValue>([
    ["data", entity.get("data") ?? null],
    ["self", entity.get("self") ?? null],
  ]);
}
