import { type JsonValue } from "../json/json-reader.ts";
import { isList, javaClassOf } from "./rest-input.ts";

/** The word for a bare value in refusals of a format: `string`, `integer`, `strings`, … */
export function scalarType(value: JsonValue): string {
  if (isList(value)) {
    return `${scalarType(value[0] ?? "")}s`;
  }
  return TYPES[javaClassOf(value)] ?? "map";
}

const TYPES: Readonly<Record<string, string>> = {
  "java.lang.String": "string",
  "java.lang.Boolean": "boolean",
  "java.lang.Integer": "integer",
  "java.lang.Long": "long",
  "java.lang.Double": "double",
};
