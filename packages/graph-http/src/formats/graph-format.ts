import { type GraphAccess, NodeValue, PathValue, RelationshipValue, type Value } from "@trefoil/graph-engine";
import { stringText } from "../json/string-text.ts";
import {
  labelNames,
  nodePropertiesText,
  relationshipPropertiesText,
  requireNode,
  requireRelationship,
  typeName,
} from "./entities.ts";

/**
 * One row in the `graph` format: each node and relationship in it once, from all columns, out of lists, maps and
 * paths; a relationship brings its two ends along. Ids are strings here.
 *
 * @throws DeletedEntityError
 * @source graph-http §4.3
 */
export function graphText(row: readonly Value[], graph: GraphAccess): string {
  const found: Found = { nodes: new Set(), relationships: new Set() };
  collectAll(row, graph, found);
  const nodes = Array.from(found.nodes, (node) => nodeText(node, graph));
  const relationships = Array.from(found.relationships, (relationship) => {
    requireRelationship(relationship, graph.view);
    return relationshipText(relationship, graph);
  });
  return `{"nodes":[${nodes.join(",")}],"relationships":[${relationships.join(",")}]}`;
}

/** What is written of a row up to a deleted entity, whose element is cut short (measured on the model server). */
export function graphTextUntilDeleted(row: readonly Value[], graph: GraphAccess): string {
  const { view } = graph;
  const found: Found = { nodes: new Set(), relationships: new Set() };
  collectAll(row, graph, found);
  const nodes: string[] = [];
  for (const node of [...found.nodes].toSorted((one, other) => one - other)) {
    if (!view.nodeExists(node)) {
      nodes.push(`{"id":"${node}","labels":[]}`);
      return `{"nodes":[${nodes.join(",")}]}`;
    }
    nodes.push(nodeText(node, graph));
  }
  const relationships: string[] = [];
  for (const relationship of found.relationships) {
    const exists = view.relationshipExists(relationship);
    relationships.push(relationshipText(relationship, graph, exists ? undefined : "{}"));
    if (!exists) {
      break;
    }
  }
  return `{"nodes":[${nodes.join(",")}],"relationships":[${relationships.join(",")}]}`;
}

interface Found {
  readonly nodes: Set<number>;
  readonly relationships: Set<number>;
}

function collectAll(values: Iterable<Value>, graph: GraphAccess, found: Found): void {
  for (const value of values) {
    collect(value, graph, found);
  }
}

function collect(value: Value, graph: GraphAccess, found: Found): void {
  if (value instanceof NodeValue) {
    found.nodes.add(value.id);
  } else if (value instanceof RelationshipValue) {
    addRelationship(value.id, graph, found);
  } else if (value instanceof PathValue) {
    for (const node of value.nodes) {
      found.nodes.add(node);
    }
    for (const relationship of value.relationships) {
      addRelationship(relationship, graph, found);
    }
  } else if (value instanceof Map) {
    collectAll((value as ReadonlyMap<string, Value>).values(), graph, found);
  } else if (Array.isArray(value)) {
    collectAll(value as readonly Value[], graph, found);
  }
}

function addRelationship(relationship: number, { view }: GraphAccess, found: Found): void {
  found.nodes.add(view.startOf(relationship));
  found.nodes.add(view.endOf(relationship));
  found.relationships.add(relationship);
}

function nodeText(node: number, graph: GraphAccess): string {
  requireNode(node, graph.view);
  const labels = labelNames(node, graph).map(stringText).join(",");
  return `{"id":"${node}","labels":[${labels}],"properties":${nodePropertiesText(node, graph)}}`;
}

function relationshipText(
  relationship: number,
  graph: GraphAccess,
  properties = relationshipPropertiesText(relationship, graph),
): string {
  const { view } = graph;
  return `{"id":"${relationship}","type":${stringText(typeName(relationship, graph))},"startNode":"${view.startOf(
    relationship,
  )}","endNode":"${view.endOf(relationship)}","properties":${properties}}`;
}
