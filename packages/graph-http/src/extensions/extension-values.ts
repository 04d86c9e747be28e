import {
  type GraphAccess,
  isTemporal,
  NodeValue,
  PathValue,
  RelationshipValue,
  temporalText,
  type Value,
} from "@trefoil/graph-engine";
import { floatOf, integerOf, isIntegerNumber, PointValue, type TemporalValue, WholeFloat } from "@trefoil/graph-store";

/** A node as extensions see it: as it was when it was handed over. */
export class ExtensionNode {
  readonly id: number;
  readonly labels: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;

  constructor(id: number, labels: readonly string[], properties: Readonly<Record<string, unknown>>) {
    this.id = id;
    this.labels = labels;
    this.properties = properties;
  }
}

export class ExtensionRelationship {
  readonly id: number;
  readonly type: string;
  /** Node ids. */
  readonly start: number;
  readonly end: number;
  readonly properties: Readonly<Record<string, unknown>>;

  constructor(relationship: Omit<ExtensionRelationship, never>) {
    this.id = relationship.id;
    this.type = relationship.type;
    this.start = relationship.start;
    this.end = relationship.end;
    this.properties = relationship.properties;
  }
}

export class ExtensionPath {
  readonly nodes: readonly ExtensionNode[];
  readonly relationships: readonly ExtensionRelationship[];

  constructor(nodes: readonly ExtensionNode[], relationships: readonly ExtensionRelationship[]) {
    this.nodes = nodes;
    this.relationships = relationships;
  }
}

/** A value JavaScript has no type for (dates, durations, points): to be shown and handed back. */
export class OpaqueValue {
  readonly #value: TemporalValue | PointValue;

  constructor(value: TemporalValue | PointValue) {
    this.#value = value;
  }

  get value(): TemporalValue | PointValue {
    return this.#value;
  }

  toString(): string {
    return isTemporal(this.#value)
      ? temporalText(this.#value)
      : `${this.#value.system}(${this.#value.coordinates.join(" ")})`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A value of the language for JavaScript: INTEGER is bigint, FLOAT is number, maps are objects. */
export function toExtension(value: Value, graph: GraphAccess): unknown {
  if (typeof value === "number") {
    return isIntegerNumber(value) ? BigInt(value) : value;
  }
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
    return new ExtensionPath(
      value.nodes.map((node) => nodeOf(node, graph)),
      value.relationships.map((relationship) => relationshipOf(relationship, graph)),
    );
  }
  if (value instanceof PointValue || isTemporal(value)) {
    return new OpaqueValue(value);
  }
  if (value instanceof Map) {
    const map = value as ReadonlyMap<string, Value>;
    return Object.fromEntries(Array.from(map, ([name, inner]) => [name, toExtension(inner, graph)]));
  }
  return (value as readonly Value[]).map((inner) => toExtension(inner, graph));
}

function nodeOf(id: number, { view, tokens }: GraphAccess): ExtensionNode {
  const properties = view
    .nodePropertyKeys(id)
    .map((key) => [tokens.propertyKeys.nameOf(key), toExtension(view.nodeProperty(id, key) ?? null, { view, tokens })]);
  const labels = view.labelsOf(id).map((label) => tokens.labels.nameOf(label));
  return new ExtensionNode(id, labels, Object.fromEntries(properties));
}

function relationshipOf(id: number, { view, tokens }: GraphAccess): ExtensionRelationship {
  const properties = view
    .relationshipPropertyKeys(id)
    .map((key) => [
      tokens.propertyKeys.nameOf(key),
      toExtension(view.relationshipProperty(id, key) ?? null, { view, tokens }),
    ]);
  return new ExtensionRelationship({
    id,
    type: tokens.relationshipTypes.nameOf(view.typeOf(id)),
    start: view.startOf(id),
    end: view.endOf(id),
    properties: Object.fromEntries(properties),
  });
}

/** What a plain number is where no type says: as in JSON a whole one is an INTEGER, or every one is a FLOAT. */
export type NumberReading = "as in JSON" | "float";

/**
 * What JavaScript hands over as a value of the language. `bigint` is an INTEGER; a number is what `type` says, else
 * what `numbers` says.
 *
 * @param type  a type name of the language
 * @throws TypeError  for what has no counterpart
 */
export function fromExtension(value: unknown, numbers: NumberReading, type = "ANY"): Value {
  switch (typeof value) {
    case "undefined":
      return null;
    case "boolean":
    case "string":
      return value;
    case "bigint":
      return integerFrom(value, type);
    case "number":
      return numberFrom(value, numbers, type);
    case "object":
      return value === null ? null : fromObject(value, numbers, type);
    default:
      throw new TypeError(`a ${typeof value} is no value of the language`);
  }
}

function integerFrom(value: bigint, type: string): Value {
  if (BigInt.asIntN(64, value) !== value) {
    throw new TypeError(`${value} does not fit into 64 bits`);
  }
  return /^FLOAT/i.test(type) ? floatOf(Number(value)) : integerOf(value);
}

function numberFrom(value: number, numbers: NumberReading, type: string): Value {
  if (/^INTEGER/i.test(type)) {
    if (!Number.isInteger(value)) {
      throw new TypeError(`${value} is no INTEGER`);
    }
    return integerFrom(BigInt(value), type);
  }
  return /^FLOAT/i.test(type) || numbers === "float" ? floatOf(value) : value;
}

function fromObject(value: object, numbers: NumberReading, type: string): Value {
  if (value instanceof OpaqueValue) {
    return value.value;
  }
  if (value instanceof ExtensionNode) {
    return new NodeValue(value.id);
  }
  if (value instanceof ExtensionRelationship) {
    return new RelationshipValue(value.id);
  }
  if (value instanceof ExtensionPath) {
    return new PathValue(
      value.nodes.map(({ id }) => id),
      value.relationships.map(({ id }) => id),
    );
  }
  if (Array.isArray(value)) {
    const element = /^LIST\s*(?:<(.*)>|OF (.*?))\??$/i.exec(type.trim());
    return value.map((inner: unknown) => fromExtension(inner, numbers, element?.[1] ?? element?.[2] ?? "ANY"));
  }
  const entries: Iterable<[unknown, unknown]> =
    value instanceof Map ? (value as ReadonlyMap<unknown, unknown>) : Object.entries(value);
  return new Map(Array.from(entries, ([name, inner]) => [String(name), fromExtension(inner, numbers)]));
}
