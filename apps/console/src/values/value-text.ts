import { type Properties, type Value } from "./value.ts";
import { WholeFloat } from "./whole-float.ts";

/** A value as one would write it in a statement; a string alone is shown without its quotes (see `cellText`). */
export function valueText(value: Value): string {
  if (value === null) {
    return "null";
  }
  if (typeof value === "string") {
    return stringLiteral(value);
  }
  if (typeof value !== "object" || value instanceof WholeFloat) {
    return String(value);
  }
  if (!("kind" in value)) {
    return `[${value.map(valueText).join(", ")}]`;
  }
  switch (value.kind) {
    case "map":
      return propertiesText(value.entries);
    case "node":
      return `(${value.labels.map((label) => `:${nameText(label)}`).join("")}${spaced(value.properties)})`;
    case "relationship":
      return `[:${nameText(value.type)}${spaced(value.properties)}]`;
    case "path":
      return value.nodes
        .map((node, index) => {
          const relationship = value.relationships[index];
          if (relationship === undefined) {
            return valueText(node);
          }
          const isForward = relationship.startId === node.id;
          return `${valueText(node)}${isForward ? "" : "<"}-${valueText(relationship)}-${isForward ? ">" : ""}`;
        })
        .join("");
  }
}

/** A cell of a table: like `valueText`, but a string stands bare. */
export function cellText(value: Value): string {
  return typeof value === "string" ? value : valueText(value);
}

export function propertiesText(properties: Properties): string {
  return `{${[...properties].map(([key, value]) => `${nameText(key)}: ${valueText(value)}`).join(", ")}}`;
}

/** A label, type, key or variable as a statement takes it: in backticks unless it is a plain word. */
export function nameText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``;
}

export function stringLiteral(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return `'${escaped}'`;
}

function spaced(properties: Properties): string {
  return properties.size === 0 ? "" : ` ${propertiesText(properties)}`;
}
