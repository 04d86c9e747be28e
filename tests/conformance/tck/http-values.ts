import { type JsonValue, writeJson } from "@trefoil/graph-http";
import { floatOf, isIntegerNumber, WholeFloat } from "@trefoil/graph-store";
import { type TckNode, type TckRelationship, type TckValue } from "./tck-value.ts";

export type JsonMap = ReadonlyMap<string, JsonValue>;

/** A parameter. @throws Error  for entities, which the TCK never passes */
export function toHttp(value: TckValue): JsonValue {
  switch (value.kind) {
    case "null":
      return null;
    case "boolean":
    case "string":
    case "integer":
      return value.value;
    case "float":
      return floatOf(value.value);
    case "list":
      return value.items.map(toHttp);
    case "map":
      return new Map([...value.entries].map(([key, inner]) => [key, toHttp(inner)]));
    default:
      throw new Error(`a ${value.kind} cannot be a parameter`);
  }
}

/** A row in the formats `rest` and `graph`: the second says what the entities hold that the first only names. */
export function fromHttp(entry: JsonMap): TckValue[] {
  const graph = mapOf(entry.get("graph"));
  const entities: Entities = {
    nodes: byId(graph.get("nodes"), (node) => ({
      kind: "node",
      labels: listOf(node.get("labels")).map(textOf),
      properties: valuesOf(node.get("properties")),
    })),
    relationships: byId(graph.get("relationships"), (relationship) => ({
      kind: "relationship",
      type: textOf(relationship.get("type")),
      properties: valuesOf(relationship.get("properties")),
    })),
  };
  return listOf(entry.get("rest")).map((value) => valueOf(value, entities));
}

interface Entities {
  readonly nodes: ReadonlyMap<string, TckNode>;
  readonly relationships: ReadonlyMap<string, TckRelationship>;
}

function byId<Entity>(list: JsonValue | undefined, read: (entity: JsonMap) => Entity): ReadonlyMap<string, Entity> {
  return new Map(listOf(list).map((entity) => [textOf(mapOf(entity).get("id")), read(mapOf(entity))]));
}

const noEntities: Entities = { nodes: new Map(), relationships: new Map() };

function valuesOf(properties: JsonValue | undefined): ReadonlyMap<string, TckValue> {
  return new Map([...mapOf(properties)].map(([key, value]) => [key, valueOf(value, noEntities)]));
}

function valueOf(value: JsonValue, entities: Entities): TckValue {
  switch (typeof value) {
    case "boolean":
      return { kind: "boolean", value };
    case "string":
      return NOT_IN_JSON.get(value) ?? { kind: "string", value };
    case "bigint":
      return { kind: "integer", value };
    case "number":
      return isIntegerNumber(value) ? { kind: "integer", value: BigInt(value) } : { kind: "float", value };
    default:
      if (value === null) {
        return { kind: "null" };
      }
      if (value instanceof WholeFloat) {
        return { kind: "float", value: value.value };
      }
      return Array.isArray(value)
        ? { kind: "list", items: listOf(value).map((item) => valueOf(item, entities)) }
        : fromMap(mapOf(value), entities);
  }
}

/** Floats that JSON has no number for are written as texts (graph-http §4.3). */
const NOT_IN_JSON: ReadonlyMap<string, TckValue> = new Map([
  ["NaN", { kind: "float", value: Number.NaN }],
  ["Infinity", { kind: "float", value: Number.POSITIVE_INFINITY }],
  ["-Infinity", { kind: "float", value: Number.NEGATIVE_INFINITY }],
]);

function fromMap(map: JsonMap, entities: Entities): TckValue {
  if (map.has("directions")) {
    return pathOf(map, entities);
  }
  if (map.has("metadata")) {
    const id = textOf(mapOf(map.get("metadata")).get("id"));
    const entity = (map.has("type") ? entities.relationships : entities.nodes).get(id);
    if (entity === undefined) {
      throw new Error(`the graph format lacks the entity ${id}`);
    }
    return entity;
  }
  return { kind: "map", entries: new Map([...map].map(([key, value]) => [key, valueOf(value, entities)])) };
}

function pathOf(path: JsonMap, { nodes, relationships }: Entities): TckValue {
  const ids = (member: string): string[] => listOf(path.get(member)).map((url) => textOf(url).replace(/^.*\//, ""));
  const [start, ...others] = ids("nodes");
  const alongIds = ids("relationships");
  const directions = listOf(path.get("directions"));
  return {
    kind: "path",
    start: nodes.get(start!)!,
    steps: others.map((node, index) => ({
      relationship: relationships.get(alongIds[index]!)!,
      forward: directions[index] === "->",
      node: nodes.get(node)!,
    })),
  };
}

export function mapOf(value: JsonValue | undefined): JsonMap {
  if (!(value instanceof Map)) {
    throw new Error(`expected an object, not ${textOf(value)}`);
  }
  return value as JsonMap;
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(value)) {
    throw new Error(`expected a list, not ${textOf(value)}`);
  }
  return value as readonly JsonValue[];
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : writeJson(value ?? null, "compact");
}
