import { type GraphAccess } from "@trefoil/graph-engine";
import { labelNames, typeName } from "../../formats/entities.ts";
import { propertyJson } from "../../formats/property-json.ts";
import { type JsonValue } from "../../json/json-reader.ts";

/** What a script may ask about an entity; undefined where there is no such entity or property. */
export function askGraph(
  graph: GraphAccess,
  question: string,
  kind: "node" | "relationship",
  id: number,
  name: string,
): JsonValue | undefined {
  const { view } = graph;
  const exists = kind === "node" ? view.nodeExists(id) : view.relationshipExists(id);
  return exists && Object.hasOwn(ANSWERS, question) ? ANSWERS[question]?.(graph, kind, id, name) : undefined;
}

type Answer = (graph: GraphAccess, kind: "node" | "relationship", id: number, name: string) => JsonValue | undefined;

const ANSWERS: Readonly<Record<string, Answer>> = {
  property: ({ view, tokens }, kind, id, name) => {
    const key = tokens.propertyKeys.find(name);
    const value =
      key === -1 ? undefined : kind === "node" ? view.nodeProperty(id, key) : view.relationshipProperty(id, key);
    return value === undefined ? undefined : propertyJson(value);
  },
  keys: ({ view, tokens }, kind, id) =>
    Array.from(kind === "node" ? view.nodePropertyKeys(id) : view.relationshipPropertyKeys(id), (key) =>
      tokens.propertyKeys.nameOf(key),
    ),
  labels: (graph, kind, id) => (kind === "node" ? labelNames(id, graph) : undefined),
  degree: ({ view }, kind, id) => (kind === "node" ? view.degree(id, "both", []) : undefined),
  type: (graph, kind, id) => (kind === "relationship" ? typeName(id, graph) : undefined),
  start: ({ view }, kind, id) => (kind === "relationship" ? view.startOf(id) : undefined),
  end: ({ view }, kind, id) => (kind === "relationship" ? view.endOf(id) : undefined),
};
