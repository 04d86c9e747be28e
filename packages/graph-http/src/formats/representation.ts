import {
  type GraphAccess,
  isTemporal,
  NodeValue,
  PathValue,
  RelationshipValue,
  type Value,
} from "@trefoil/graph-engine";
import { PointValue, WholeFloat } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { propertyJson } from "./property-json.ts";
import {
  labelNames,
  nodeProperties,
  relationshipProperties,
  requireNode,
  requireRelationship,
  typeName,
} from "./entities.ts";

/** Where representations are written: which data they describe and which addresses they name. */
export interface RepresentationContext {
  readonly graph: GraphAccess;
  /** `<base>/db/data`, without a final slash. */
  readonly dataUrl: string;
  /** The REST endpoints announce extensions, the transactional endpoint doesn't (graph-http §4.3). */
  readonly withExtensions: boolean;
}

/**
 * The verbose representation of a value: nodes and relationships in full, paths by their addresses (graph-http §6).
 *
 * @throws DeletedEntityError
 */
export function representationOf(value: Value, context: RepresentationContext): JsonValue {
  if (typeof value !== "object" || value === null || value instanceof WholeFloat) {
    return value;
  }
  if (value instanceof NodeValue) {
    return nodeRepresentation(value.id, context);
  }
  if (value instanceof RelationshipValue) {
    return relationshipRepresentation(value.id, context);
  }
  if (value instanceof PathValue) {
    return pathRepresentation(value, context);
  }
  if (isTemporal(value) || value instanceof PointValue) {
    return propertyJson(value);
  }
  if (value instanceof Map) {
    const members = new Map<string, JsonValue>();
    for (const [name, member] of value as ReadonlyMap<string, Value>) {
      members.set(name, representationOf(member, context));
    }
    return members;
  }
  return (value as readonly Value[]).map((element) => representationOf(element, context));
}

export function nodeRepresentation(node: number, context: RepresentationContext): ReadonlyMap<string, JsonValue> {
  const { graph, dataUrl, withExtensions } = context;
  requireNode(node, graph.view);
  const self = `${dataUrl}/node/${node}`;
  return new Map<string, JsonValue>([
    ...(withExtensions ? EXTENSIONS : []),
    [
      "metadata",
      new Map<string, JsonValue>([
        ["id", node],
        ["labels", labelNames(node, graph)],
      ]),
    ],
    ...NODE_LINKS.map(([name, path]): [string, JsonValue] => [name, self + path]),
    ["data", nodeProperties(node, graph)],
  ]);
}

export function relationshipRepresentation(
  relationship: number,
  context: RepresentationContext,
): ReadonlyMap<string, JsonValue> {
  const { graph, dataUrl, withExtensions } = context;
  requireRelationship(relationship, graph.view);
  const self = `${dataUrl}/relationship/${relationship}`;
  const type = typeName(relationship, graph);
  return new Map<string, JsonValue>([
    ...(withExtensions ? EXTENSIONS : []),
    [
      "metadata",
      new Map<string, JsonValue>([
        ["id", relationship],
        ["type", type],
      ]),
    ],
    ["start", `${dataUrl}/node/${graph.view.startOf(relationship)}`],
    ["property", `${self}/properties/{key}`],
    ["self", self],
    ["end", `${dataUrl}/node/${graph.view.endOf(relationship)}`],
    ["type", type],
    ["properties", `${self}/properties`],
    ["data", relationshipProperties(relationship, graph)],
  ]);
}

export function pathRepresentation(path: PathValue, context: RepresentationContext): ReadonlyMap<string, JsonValue> {
  const { graph, dataUrl } = context;
  const nodes = path.nodes.map((node) => `${dataUrl}/node/${node}`);
  return new Map<string, JsonValue>([
    ["relationships", path.relationships.map((relationship) => `${dataUrl}/relationship/${relationship}`)],
    ["nodes", nodes],
    [
      "directions",
      path.relationships.map((relationship, index) =>
        graph.view.startOf(relationship) === path.nodes[index] ? "->" : "<-",
      ),
    ],
    ["start", nodes[0] ?? null],
    ["length", path.relationships.length],
    ["end", nodes.at(-1) ?? null],
  ]);
}

/** A path with everything along it in full. */
export function fullPathRepresentation(
  path: PathValue,
  context: RepresentationContext,
): ReadonlyMap<string, JsonValue> {
  const nodes = path.nodes.map((node) => nodeRepresentation(node, context));
  return new Map<string, JsonValue>([
    ["relationships", path.relationships.map((relationship) => relationshipRepresentation(relationship, context))],
    ["nodes", nodes],
    ["start", nodes[0] ?? null],
    ["length", path.relationships.length],
    ["end", nodes.at(-1) ?? null],
  ]);
}

const EXTENSIONS: [string, JsonValue][] = [["extensions", new Map()]];

/** Member → what follows the node's own address. */
const NODE_LINKS: readonly (readonly [name: string, path: string])[] = [
  ["paged_traverse", "/paged/traverse/{returnType}{?pageSize,leaseTime}"],
  ["outgoing_relationships", "/relationships/out"],
  ["outgoing_typed_relationships", "/relationships/out/{-list|&|types}"],
  ["create_relationship", "/relationships"],
  ["labels", "/labels"],
  ["traverse", "/traverse/{returnType}"],
  ["all_relationships", "/relationships/all"],
  ["all_typed_relationships", "/relationships/all/{-list|&|types}"],
  ["property", "/properties/{key}"],
  ["self", ""],
  ["incoming_relationships", "/relationships/in"],
  ["properties", "/properties"],
  ["incoming_typed_relationships", "/relationships/in/{-list|&|types}"],
];
