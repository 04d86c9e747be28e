import {
  type GraphAccess,
  isTemporal,
  NodeValue,
  PathValue,
  RelationshipValue,
  type Value,
} from "@trefoil/graph-engine";
import { PointValue, type PropertyValue, WholeFloat } from "@trefoil/graph-store";
import { type GraphMap, type GraphValue, Node, Path, Relationship } from "./graph-value.ts";

/** A value of the engine for JavaScript; entities are read through `graph`, so do it while their view is open. */
export function fromEngine(value: Value, graph: GraphAccess): GraphValue {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (value instanceof WholeFloat) {
    return value.value;
  }
  if (value instanceof NodeValue) {
    return nodeOf(value.id, graph);
  }
  if (value instanceof RelationshipValue) {
    return relationshipOf(value.id, graph);
  }
  if (value instanceof PathValue) {
    return new Path(
      value.nodes.map((id) => nodeOf(id, graph)),
      value.relationships.map((id) => relationshipOf(id, graph)),
    );
  }
  if (value instanceof PointValue || isTemporal(value)) {
    return value;
  }
  if (value instanceof Map) {
    const map = value as ReadonlyMap<string, Value>;
    return objectOf(Array.from(map, ([name, inner]) => [name, fromEngine(inner, graph)]));
  }
  return (value as readonly Value[]).map((inner) => fromEngine(inner, graph));
}

function nodeOf(id: number, graph: GraphAccess): Node {
  const { view, tokens } = graph;
  const labels = view.labelsOf(id).map((label) => tokens.labels.nameOf(label));
  return new Node(
    id,
    labels,
    propertiesOf(view.nodePropertyKeys(id), (key) => view.nodeProperty(id, key), graph),
  );
}

function relationshipOf(id: number, graph: GraphAccess): Relationship {
  const { view, tokens } = graph;
  const properties = propertiesOf(
    view.relationshipPropertyKeys(id),
    (key) => view.relationshipProperty(id, key),
    graph,
  );
  return new Relationship(
    id,
    tokens.relationshipTypes.nameOf(view.typeOf(id)),
    view.startOf(id),
    view.endOf(id),
    properties,
  );
}

function propertiesOf(
  keys: readonly number[],
  read: (key: number) => PropertyValue | undefined,
  graph: GraphAccess,
): GraphMap {
  return objectOf(keys.map((key) => [graph.tokens.propertyKeys.nameOf(key), fromEngine(read(key) ?? null, graph)]));
}

/** Also with a name like `__proto__`. */
function objectOf(entries: readonly (readonly [string, GraphValue])[]): GraphMap {
  return Object.fromEntries(entries);
}
