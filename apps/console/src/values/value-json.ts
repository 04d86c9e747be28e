import { type Properties, type Value } from "./value.ts";
import { WholeFloat } from "./whole-float.ts";

/** A value as JSON text, with every digit: nodes and relationships with their ids, labels and types. */
export function valueJson(value: Value, indent = ""): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return JSON.stringify(value);
  }
  if (typeof value !== "object" || value instanceof WholeFloat) {
    return Number.isNaN(value) ? '"NaN"' : String(value);
  }
  if (!("kind" in value)) {
    return listJson(
      value.map((each) => valueJson(each, `${indent}  `)),
      indent,
    );
  }
  switch (value.kind) {
    case "map":
      return propertiesJson(value.entries, indent);
    case "node":
      return objectJson(
        [
          ["id", JSON.stringify(value.id)],
          ["labels", JSON.stringify(value.labels)],
          ["properties", propertiesJson(value.properties, `${indent}  `)],
        ],
        indent,
      );
    case "relationship":
      return objectJson(
        [
          ["id", JSON.stringify(value.id)],
          ["type", JSON.stringify(value.type)],
          ["startNode", JSON.stringify(value.startId)],
          ["endNode", JSON.stringify(value.endId)],
          ["properties", propertiesJson(value.properties, `${indent}  `)],
        ],
        indent,
      );
    case "path":
      return objectJson(
        [
          ["nodes", valueJson(value.nodes, `${indent}  `)],
          ["relationships", valueJson(value.relationships, `${indent}  `)],
        ],
        indent,
      );
  }
}

function propertiesJson(properties: Properties, indent: string): string {
  return objectJson(
    [...properties].map(([key, value]) => [key, valueJson(value, `${indent}  `)] as const),
    indent,
  );
}

function objectJson(members: readonly (readonly [name: string, json: string])[], indent: string): string {
  if (members.length === 0) {
    return "{}";
  }
  const lines = members.map(([name, json]) => `${indent}  ${JSON.stringify(name)}: ${json}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function listJson(elements: readonly string[], indent: string): string {
  const line = `[${elements.join(", ")}]`;
  if (line.length <= 100 && !line.includes("\n")) {
    return line;
  }
  return `[\n${elements.map((element) => `${indent}  ${element}`).join(",\n")}\n${indent}]`;
}
