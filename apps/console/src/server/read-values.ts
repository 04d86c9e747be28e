import { type ExactJson } from "../values/exact-json.ts";
import { type NodeValue, type Properties, type RelationshipValue, type Value } from "../values/value.ts";
import { WholeFloat } from "../values/whole-float.ts";
import { listOf, objectOf, textOf } from "./read-answer.ts";

/** Reads the rows of one result, and gathers its nodes and relationships, each once, in the order of their coming. */
export class EntityReader {
  readonly nodes = new Map<string, NodeValue>();
  readonly relationships = new Map<string, RelationshipValue>();

  /** @param row  an element of `data` with `row`, `meta` and `graph` */
  readRow(row: ReadonlyMap<string, ExactJson>): readonly Value[] {
    const graph = objectOf(row.get("graph"));
    for (const node of listOf(graph.get("nodes"))) {
      this.#addNode(objectOf(node));
    }
    for (const relationship of listOf(graph.get("relationships"))) {
      this.#addRelationship(objectOf(relationship));
    }
    const metas = listOf(row.get("meta"));
    return listOf(row.get("row")).map((cell, index) => this.#readCell(cell, metas[index]));
  }

  #readCell(cell: ExactJson, meta: ExactJson | undefined): Value {
    if (Array.isArray(meta)) {
      return listOf(cell).map((each, index) => this.#readCell(each, listOf(meta)[index]));
    }
    const about = objectOf(meta);
    switch (textOf(about.get("type"))) {
      case "node":
        return this.nodes.get(textOf(about.get("id"))) ?? plainValue(cell);
      case "relationship":
        return this.relationships.get(textOf(about.get("id"))) ?? plainValue(cell);
      case "path":
        return {
          kind: "path",
          nodes: this.#all(this.nodes, about.get("nodes")),
          relationships: this.#all(this.relationships, about.get("relationships")),
        };
      case "map": {
        const metas = objectOf(about.get("entries"));
        const entries = [...objectOf(cell)].map(([key, each]) => [key, this.#readCell(each, metas.get(key))] as const);
        return { kind: "map", entries: new Map(entries) };
      }
      default:
        return plainValue(cell);
    }
  }

  #all<T>(known: ReadonlyMap<string, T>, ids: ExactJson | undefined): readonly T[] {
    return listOf(ids).flatMap((id) => known.get(textOf(id)) ?? []);
  }

  #addNode(node: ReadonlyMap<string, ExactJson>): void {
    const id = textOf(node.get("id"));
    if (!this.nodes.has(id)) {
      const labels = listOf(node.get("labels")).map(textOf);
      this.nodes.set(id, { kind: "node", id, labels, properties: readProperties(node.get("properties")) });
    }
  }

  #addRelationship(relationship: ReadonlyMap<string, ExactJson>): void {
    const id = textOf(relationship.get("id"));
    if (!this.relationships.has(id)) {
      this.relationships.set(id, {
        kind: "relationship",
        id,
        type: textOf(relationship.get("type")),
        startId: textOf(relationship.get("startNode")),
        endId: textOf(relationship.get("endNode")),
        properties: readProperties(relationship.get("properties")),
      });
    }
  }
}

function readProperties(value: ExactJson | undefined): Properties {
  return new Map([...objectOf(value)].map(([key, each]) => [key, plainValue(each)]));
}

function plainValue(value: ExactJson): Value {
  if (value === null || typeof value !== "object" || value instanceof WholeFloat) {
    return value;
  }
  return value instanceof Map
    ? { kind: "map", entries: readProperties(value as ReadonlyMap<string, ExactJson>) }
    : (value as readonly ExactJson[]).map(plainValue);
}
