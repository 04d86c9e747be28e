import { isTemporal, NodeValue, PathValue, RelationshipValue, type Value } from "@trefoil/graph-engine";
import { PointValue } from "@trefoil/graph-store";
import { stringText } from "../json/string-text.ts";

/**
 * One row in the `meta` format: for each cell what `row` does not tell, in the same shape. A node or a relationship is
 * `{"type":"node","id":"7"}`, a path lists its ids in the order of the walk, a map has the same of its entries, a list
 * is a list; points and temporal values say only that they are, and what speaks for itself is null. With `graph` beside it a
 * reader has every cell whole. An addition of ours, asked for by name (decisions/0152).
 */
export function metaText(row: readonly Value[]): string {
  return `[${row.map(cellText).join(",")}]`;
}

function cellText(value: Value): string {
  if (typeof value !== "object" || value === null) {
    return "null";
  }
  if (value instanceof NodeValue) {
    return `{"type":"node","id":"${value.id}"}`;
  }
  if (value instanceof RelationshipValue) {
    return `{"type":"relationship","id":"${value.id}"}`;
  }
  if (value instanceof PathValue) {
    return `{"type":"path","nodes":${idsText(value.nodes)},"relationships":${idsText(value.relationships)}}`;
  }
  if (isTemporal(value)) {
    return `{"type":"temporal"}`;
  }
  if (value instanceof PointValue) {
    return `{"type":"point"}`;
  }
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<string, Value>)].map(
      ([name, inner]) => `${stringText(name)}:${cellText(inner)}`,
    );
    return `{"type":"map","entries":{${entries.join(",")}}}`;
  }
  if (Array.isArray(value)) {
    const elements = (value as readonly Value[]).map(cellText);
    return elements.every((element) => element === "null") ? "null" : `[${elements.join(",")}]`;
  }
  return "null";
}

function idsText(ids: Iterable<number>): string {
  return `[${Array.from(ids, (id) => `"${id}"`).join(",")}]`;
}
