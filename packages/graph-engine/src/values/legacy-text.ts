import { PointValue } from "@trefoil/graph-store";
import { floatText } from "./float-text.ts";
import { type GraphAccess } from "./graph-access.ts";
import { NodeValue, PathValue, RelationshipValue, type Value } from "./value.ts";
import { pointText } from "./point.ts";
import { temporalText } from "./temporal/temporal-text.ts";
import { isFloat, isList, isMap, isNumber, isTemporal, kindOf, toDouble } from "./value-kind.ts";

/** Messages stay readable: longer texts are cut. */
const DESCRIPTION_LIMIT = 1_000;

/**
 * The text 2.3's `str()` makes: strings in double quotes, `[1,"a",<null>]`, `{a -> 1}`, `Node[5]{name:"Ann"}`,
 * `:KNOWS[7]{since:2000}`, paths as the list of their entities.
 *
 * @param access  what entities hold; without it they appear with their id alone
 * @source cypher.md §4.3, graph-measured.md
 */
export function legacyText(value: Value, access?: GraphAccess): string {
  if (value === null) {
    return "<null>";
  }
  if (typeof value === "string") {
    return `"${value}"`;
  }
  if (isList(value)) {
    return `[${value.map((element) => legacyText(element, access)).join(",")}]`;
  }
  if (isMap(value)) {
    return `{${[...value].map(([key, element]) => `${key} -> ${legacyText(element, access)}`).join(", ")}}`;
  }
  if (value instanceof PathValue) {
    return `[${pathElements(value)
      .map((element) => legacyText(element, access))
      .join(",")}]`;
  }
  return value instanceof NodeValue || value instanceof RelationshipValue
    ? entityText(value, access)
    : describeJava(value);
}

/** `<text> (<Java class>)`, as 2.3's messages about incomparable values name an operand. */
export function describeLegacy(value: Value, access?: GraphAccess): string {
  const name = access?.withoutParameters === true ? classNameOfLiteral(value) : javaClassName(value);
  return `${legacyText(value, access).slice(0, DESCRIPTION_LIMIT)} (${name})`;
}

/** What statements write out had other classes in the old server than what comes in as a parameter. */
function classNameOfLiteral(value: Value): string {
  if (isList(value)) {
    return value.length === 0 ? "Nil$" : "$colon$colon";
  }
  if (isMap(value)) {
    return value.size === 0 ? "EmptyMap$" : value.size < SMALL_MAP ? `Map${value.size}` : "HashTrieMap";
  }
  return kindOf(value) === "integer" ? "Long" : javaClassName(value);
}

/** Maps of fewer entries had a class each. */
const SMALL_MAP = 5;

/** What Java's `toString` makes of a value: `{a=1, b=2}`, `[1, 2]`, strings bare. */
export function describeJava(value: Value): string {
  return javaText(value).slice(0, DESCRIPTION_LIMIT);
}

/** The qualified class a value had in the old server, where its messages name it. */
export function qualifiedJavaClassName(value: Value): string {
  const name = javaClassName(value);
  return (name.endsWith("Map") || name.endsWith("List") ? "java.util." : "java.lang.") + name;
}

/** INTEGERs that fit 32 bits come out of parameters as `Integer` there; ours can't tell them from literals (`Long`). */
export function javaClassName(value: Value): string {
  const kind = kindOf(value);
  return kind === "integer" ? (isInt32(value) ? "Integer" : "Long") : JAVA_CLASS_NAMES[kind];
}

const JAVA_CLASS_NAMES = {
  null: "null",
  boolean: "Boolean",
  float: "Double",
  string: "String",
  list: "ArrayList",
  map: "LinkedHashMap",
  node: "NodeProxy",
  relationship: "RelationshipProxy",
  path: "PathImpl",
  date: "DateValue",
  time: "TimeValue",
  "local time": "LocalTimeValue",
  datetime: "DateTimeValue",
  "local datetime": "LocalDateTimeValue",
  duration: "DurationValue",
  point: "PointValue",
} as const;

function isInt32(value: Value): boolean {
  return typeof value === "number" && value >= -2147483648 && value <= 2147483647;
}

function javaText(value: Value): string {
  if (isNumber(value)) {
    return isFloat(value) ? floatText(toDouble(value)) : String(value);
  }
  if (isList(value)) {
    return `[${value.map(javaText).join(", ")}]`;
  }
  if (isMap(value)) {
    return `{${[...value].map(([key, element]) => `${key}=${javaText(element)}`).join(", ")}}`;
  }
  if (value instanceof NodeValue) {
    return `Node[${value.id}]`;
  }
  if (value instanceof RelationshipValue) {
    return `Relationship[${value.id}]`;
  }
  if (value instanceof PathValue) {
    return pathElements(value).map(javaText).join("--");
  }
  if (value instanceof PointValue) {
    return pointText(value);
  }
  return isTemporal(value) ? temporalText(value) : String(value);
}

function entityText(entity: NodeValue | RelationshipValue, access: GraphAccess | undefined): string {
  if (entity instanceof NodeValue) {
    return `Node[${entity.id}]${access === undefined ? "" : nodePropertiesText(entity.id, access)}`;
  }
  if (access === undefined) {
    return `Relationship[${entity.id}]`;
  }
  const type = access.tokens.relationshipTypes.nameOf(access.view.typeOf(entity.id));
  return `:${type}[${entity.id}]${relationshipPropertiesText(entity.id, access)}`;
}

function nodePropertiesText(id: number, { view, tokens }: GraphAccess): string {
  return propertiesText(
    view
      .nodePropertyKeys(id)
      .map((key): [string, Value] => [tokens.propertyKeys.nameOf(key), view.nodeProperty(id, key) ?? null]),
  );
}

function relationshipPropertiesText(id: number, { view, tokens }: GraphAccess): string {
  return propertiesText(
    view
      .relationshipPropertyKeys(id)
      .map((key): [string, Value] => [tokens.propertyKeys.nameOf(key), view.relationshipProperty(id, key) ?? null]),
  );
}

function propertiesText(properties: [string, Value][]): string {
  const sorted = properties.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, value]) => `${key}:${legacyText(value)}`).join(",")}}`;
}

function pathElements(path: PathValue): Value[] {
  return path.nodes.flatMap((node, index) => {
    const relationship = path.relationships[index];
    return relationship === undefined
      ? [new NodeValue(node)]
      : [new NodeValue(node), new RelationshipValue(relationship)];
  });
}
