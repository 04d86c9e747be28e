import { isTemporal, NodeValue, PathValue, RelationshipValue, temporalText, type Value } from "@trefoil/graph-engine";
import { isIntegerNumber, type ReadView, type TokenTables, WholeFloat, floatOf, integerOf } from "@trefoil/graph-store";
import { type TckNode, type TckRelationship, type TckValue } from "./tck-value.ts";

/** What entities hold, as the statement saw them. */
export interface Graph {
  readonly view: ReadView;
  readonly tokens: TokenTables;
}

/** A value of the engine as the TCK sees it; what has a text form of its own (temporal values) becomes that text. */
export function fromEngine(value: Value, graph: Graph): TckValue {
  if (value === null) {
    return { kind: "null" };
  }
  switch (typeof value) {
    case "boolean":
      return { kind: "boolean", value };
    case "string":
      return { kind: "string", value };
    case "bigint":
      return { kind: "integer", value };
    case "number":
      return isIntegerNumber(value) ? { kind: "integer", value: BigInt(value) } : { kind: "float", value };
    default:
      return fromObject(value, graph);
  }
}

/** A parameter for the engine. @throws Error  for entities, which the TCK never passes */
export function toEngine(value: TckValue): Value {
  switch (value.kind) {
    case "null":
      return null;
    case "boolean":
    case "string":
      return value.value;
    case "integer":
      return integerOf(value.value);
    case "float":
      return floatOf(value.value);
    case "list":
      return value.items.map(toEngine);
    case "map":
      return new Map([...value.entries].map(([key, inner]) => [key, toEngine(inner)]));
    default:
      throw new Error(`a ${value.kind} cannot be a parameter`);
  }
}

function fromObject(value: Exclude<Value, null | string | number | boolean | bigint>, graph: Graph): TckValue {
  if (value instanceof WholeFloat) {
    return { kind: "float", value: value.value };
  }
  if (value instanceof NodeValue) {
    return node(value.id, graph);
  }
  if (value instanceof RelationshipValue) {
    return relationship(value.id, graph);
  }
  if (value instanceof PathValue) {
    return {
      kind: "path",
      start: node(value.nodes[0]!, graph),
      steps: value.relationships.map((id, index) => ({
        relationship: relationship(id, graph),
        forward: graph.view.startOf(id) === value.nodes[index],
        node: node(value.nodes[index + 1]!, graph),
      })),
    };
  }
  if (value instanceof Map) {
    return {
      kind: "map",
      entries: new Map([...value].map(([key, inner]) => [key, fromEngine(inner as Value, graph)])),
    };
  }
  if (Array.isArray(value)) {
    return { kind: "list", items: value.map((item: Value) => fromEngine(item, graph)) };
  }
  if (isTemporal(value)) {
    return { kind: "string", value: temporalText(value) };
  }
  throw new Error("a value the TCK does not know");
}

function node(id: number, graph: Graph): TckNode {
  const { view, tokens } = graph;
  return {
    kind: "node",
    labels: view.labelsOf(id).map((label) => tokens.labels.nameOf(label)),
    properties: new Map(
      view
        .nodePropertyKeys(id)
        .map((key) => [tokens.propertyKeys.nameOf(key), fromEngine(view.nodeProperty(id, key) ?? null, graph)]),
    ),
  };
}

function relationship(id: number, graph: Graph): TckRelationship {
  const { view, tokens } = graph;
  return {
    kind: "relationship",
    type: tokens.relationshipTypes.nameOf(view.typeOf(id)),
    properties: new Map(
      view
        .relationshipPropertyKeys(id)
        .map((key) => [tokens.propertyKeys.nameOf(key), fromEngine(view.relationshipProperty(id, key) ?? null, graph)]),
    ),
  };
}
