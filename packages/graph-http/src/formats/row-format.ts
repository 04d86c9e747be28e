import {
  type GraphAccess,
  isTemporal,
  NodeValue,
  PathValue,
  RelationshipValue,
  type Value,
} from "@trefoil/graph-engine";
import { PointValue, WholeFloat } from "@trefoil/graph-store";
import { isPlainNumber } from "../json/double-text.ts";
import { scalarText, writeJson } from "../json/json-writer.ts";
import { stringText } from "../json/string-text.ts";
import { DeletedEntityError } from "./deleted-entity-error.ts";
import { propertyJson } from "./property-json.ts";
import { nodePropertiesText, relationshipPropertiesText } from "./entities.ts";

/**
 * One row in the `row` format: cell values; nodes and relationships are their properties alone, a path is the
 * properties along it from start to end.
 *
 * @throws DeletedEntityError
 * @source graph-http §4.3
 */
export function rowText(row: readonly Value[], graph: GraphAccess): string {
  return `[${row.map((value) => cellText(value, graph)).join(",")}]`;
}

/** What is written of a row up to a deleted entity, which stands as an empty object at its end, in lists and maps too. */
export function rowTextUntilDeleted(row: readonly Value[], graph: GraphAccess): string {
  const cells: string[] = [];
  for (const value of row) {
    try {
      cells.push(cellText(value, graph));
    } catch (error) {
      if (!(error instanceof DeletedEntityError)) {
        throw error;
      }
      cells.push(textUntilDeleted(value, graph));
      break;
    }
  }
  return `[${cells.join(",")}]`;
}

function textUntilDeleted(value: Value, graph: GraphAccess): string {
  if (Array.isArray(value)) {
    return rowTextUntilDeleted(value, graph);
  }
  if (value instanceof Map) {
    const members: string[] = [];
    for (const [name, inner] of value as ReadonlyMap<string, Value>) {
      try {
        members.push(`${stringText(name)}:${cellText(inner, graph)}`);
      } catch {
        members.push(`${stringText(name)}:${textUntilDeleted(inner, graph)}`);
        break;
      }
    }
    return `{${members.join(",")}}`;
  }
  return value instanceof PathValue ? rowTextUntilDeleted(alongPath(value), graph) : "{}";
}

/** Its nodes and relationships, from start to end. */
function alongPath({ nodes, relationships }: PathValue): (NodeValue | RelationshipValue)[] {
  return nodes.flatMap((node, index) => {
    const relationship = relationships[index];
    return [new NodeValue(node), ...(relationship === undefined ? [] : [new RelationshipValue(relationship)])];
  });
}

/** Whether every cell can go through `JSON.stringify` as it is: the fast path of long results. */
export function isPlainRow(row: readonly Value[]): boolean {
  for (const value of row) {
    switch (typeof value) {
      case "string":
      case "boolean":
        break;
      case "number":
        if (!isPlainNumber(value)) {
          return false;
        }
        break;
      default:
        if (value !== null) {
          return false;
        }
    }
  }
  return true;
}

function cellText(value: Value, graph: GraphAccess): string {
  if (typeof value !== "object" || value === null || value instanceof WholeFloat) {
    return scalarText(value);
  }
  if (value instanceof NodeValue) {
    return nodePropertiesText(value.id, graph);
  }
  if (value instanceof RelationshipValue) {
    return relationshipPropertiesText(value.id, graph);
  }
  if (value instanceof PathValue) {
    return rowText(alongPath(value), graph);
  }
  if (isTemporal(value) || value instanceof PointValue) {
    return writeJson(propertyJson(value), "compact");
  }
  if (value instanceof Map) {
    return mapText(value as ReadonlyMap<string, Value>, graph);
  }
  return rowText(value as readonly Value[], graph);
}

function mapText(map: ReadonlyMap<string, Value>, graph: GraphAccess): string {
  const members: string[] = [];
  for (const [name, value] of map) {
    members.push(`${stringText(name)}:${cellText(value, graph)}`);
  }
  return `{${members.join(",")}}`;
}
