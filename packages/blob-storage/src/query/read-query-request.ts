import { StorageError } from "../errors/storage-error.ts";
import { findChild, readXml, type XmlElement } from "../xml/read-xml.ts";

export interface DelimitedFormat {
  readonly kind: "delimited";
  readonly columnSeparator: string;
  /** Empty: fields are never quoted. */
  readonly fieldQuote: string;
  readonly recordSeparator: string;
  /** Empty: a quote within quotes is written twice. */
  readonly escapeChar: string;
  readonly hasHeaders: boolean;
}

export interface JsonFormat {
  readonly kind: "json";
  readonly recordSeparator: string;
}

export type TextFormat = DelimitedFormat | JsonFormat;

/** The body of Query Blob Contents (storage, appendix B). */
export interface QueryRequest {
  readonly expression: string;
  readonly input: TextFormat;
  readonly output: TextFormat;
}

/**
 * @throws StorageError `InvalidXmlDocument`, `MissingRequiredXmlNode`, or `InvalidXmlNodeValue` for formats that are
 *         not text: Arrow and Parquet are not served
 */
export function readQueryRequest(body: Uint8Array): QueryRequest {
  const root = readXml(body, "QueryRequest");
  const type = required(root, "QueryType");
  if (type.text.toUpperCase() !== "SQL") {
    throw invalidNode("QueryType", type.text, "SQL is the only type");
  }
  const input = readFormat(findChild(root, "InputSerialization"));
  return {
    expression: required(root, "Expression").text,
    input: input ?? DELIMITED,
    output: readFormat(findChild(root, "OutputSerialization")) ?? input ?? DELIMITED,
  };
}

/** A node of a query request that cannot be taken. */
export function invalidNode(name: string, value: string, reason: string): StorageError {
  return new StorageError("InvalidXmlNodeValue", {
    elements: { XmlNodeName: name, XmlNodeValue: value.slice(0, 1024), Reason: reason },
  });
}

const DELIMITED: DelimitedFormat = {
  kind: "delimited",
  columnSeparator: ",",
  fieldQuote: '"',
  recordSeparator: "\n",
  escapeChar: "",
  hasHeaders: false,
};

function required(parent: XmlElement, name: string): XmlElement {
  const found = findChild(parent, name);
  if (found === undefined) {
    throw new StorageError("MissingRequiredXmlNode", { elements: { XmlNodeName: name } });
  }
  return found;
}

function readFormat(serialization: XmlElement | undefined): TextFormat | undefined {
  const format = serialization && required(serialization, "Format");
  if (format === undefined) {
    return undefined;
  }
  const type = required(format, "Type").text.toLowerCase();
  if (type === "delimited") {
    return readDelimited(findChild(format, "DelimitedTextConfiguration"));
  }
  if (type === "json") {
    return { kind: "json", recordSeparator: separator(findChild(format, "JsonTextConfiguration"), DELIMITED) };
  }
  throw invalidNode("Type", type, "delimited and json are served");
}

function readDelimited(configuration: XmlElement | undefined): DelimitedFormat {
  const text = (name: string): string | undefined => configuration && findChild(configuration, name)?.rawText;
  const format: DelimitedFormat = {
    kind: "delimited",
    columnSeparator: decode(text("ColumnSeparator") ?? "") || DELIMITED.columnSeparator,
    fieldQuote: decode(text("FieldQuote") ?? DELIMITED.fieldQuote),
    recordSeparator: separator(configuration, DELIMITED),
    escapeChar: decode(text("EscapeChar") ?? ""),
    hasHeaders: (text("HasHeaders") ?? "").trim().toLowerCase() === "true",
  };
  for (const name of ["fieldQuote", "escapeChar"] as const) {
    if (format[name].length > 1) {
      throw invalidNode(name === "fieldQuote" ? "FieldQuote" : "EscapeChar", format[name], "one character");
    }
  }
  return format;
}

/** Left out, a record ends with a line feed. */
function separator(configuration: XmlElement | undefined, { recordSeparator }: DelimitedFormat): string {
  const given = configuration && findChild(configuration, "RecordSeparator")?.rawText;
  return decode(given ?? "") || recordSeparator;
}

/** Writers of XML protect a line feed as a reference to its number. */
function decode(text: string): string {
  return text.replace(/&#(?:x([0-9a-f]{1,4})|(\d{1,5}));/giu, (_all, hexadecimal?: string, decimal?: string) =>
    String.fromCharCode(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)),
  );
}
