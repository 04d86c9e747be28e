import { ARGUMENT_TEXT } from "./argument-text.ts";
import { javaClassName } from "../values/legacy-text.ts";
import { type Mode } from "@trefoil/cypher";
import {
  entityNotFound,
  executionFailure,
  lateSyntaxError,
  typeError,
  unloadableNode,
} from "../values/query-errors.ts";
import { NodeValue, PathValue, RelationshipValue, type Value } from "../values/value.ts";
import { legacyCastError } from "../values/element-access.ts";
import { isMap } from "../values/value-kind.ts";
import { invalidArgument } from "./arguments.ts";
import { defineFunction, LEGACY, MODERN } from "./define.ts";
import { type FunctionContext } from "./function-context.ts";
import { type FunctionDefinition } from "./function-definition.ts";

/** Functions that look into nodes, relationships and paths. */
export const graphFunctions: readonly FunctionDefinition[] = [
  defineFunction("id(entity: node | relationship)", {
    returns: "integer",
    namesArgument: true,
    description: "the number of a node or relationship",
    call: ({ mode }, entity: Value) => idOf(entity, "id", mode),
  }),
  defineFunction("elementId(entity: node | relationship)", {
    returns: "string",
    modes: MODERN,
    description: "the number of a node or relationship as text",
    call: ({ mode }, entity: Value) => String(idOf(entity, "elementId", mode)),
  }),
  defineFunction("labels(node: node)", {
    returns: { listOf: "string" },
    description: "the names of a node's labels",
    call: (context, node: Value) => {
      if (!(node instanceof NodeValue)) {
        throw context.mode === "modern"
          ? invalidArgument("labels", "a NODE", node)
          : typeError("labels() expected a Node but was called with something else");
      }
      return labelsOf(node.id, context);
    },
  }),
  defineFunction("type(relationship: relationship)", {
    returns: "string",
    description: "the name of a relationship's type",
    call: ({ mode, view, tokens }, relationship: Value) => {
      if (!(relationship instanceof RelationshipValue)) {
        throw mode === "modern"
          ? invalidArgument("type", "a RELATIONSHIP", relationship)
          : executionFailure("type() expected a Relationship but was called with something else");
      }
      return tokens.relationshipTypes.nameOf(view.typeOf(relationship.id));
    },
  }),
  defineFunction("startNode(relationship: relationship)", {
    returns: "node",
    description: "the node a relationship leaves",
    call: ({ mode, view }, relationship: Value) =>
      new NodeValue(view.startOf(relationshipArgument(relationship, "startNode", mode))),
  }),
  defineFunction("endNode(relationship: relationship)", {
    returns: "node",
    description: "the node a relationship reaches",
    call: ({ mode, view }, relationship: Value) =>
      new NodeValue(view.endOf(relationshipArgument(relationship, "endNode", mode))),
  }),
  defineFunction("nodes(path: path)", {
    returns: { listOf: "node" },
    namesArgument: true,
    description: "the nodes of a path in order",
    call: ({ mode }, path: Value) => pathArgument(path, "nodes", mode).nodes.map((id) => new NodeValue(id)),
  }),
  defineFunction("relationships(path: path)", {
    returns: { listOf: "relationship" },
    synonyms: ["rels"],
    namesArgument: true,
    description: "the relationships of a path in order",
    call: ({ mode }, path: Value) =>
      pathArgument(path, "relationships", mode).relationships.map((id) => new RelationshipValue(id)),
  }),
  defineFunction("keys(entity: map | node | relationship)", {
    returns: { listOf: "string" },
    modes: MODERN,
    description: "the names of what a map, node or relationship holds",
    call: (context, entity: Value) => [...propertiesOf(entity, "keys", context).keys()],
  }),
  defineFunction("keys(entity: map | node | relationship)", {
    returns: { listOf: "string" },
    namesArgument: true,
    modes: LEGACY,
    description: "the names of what a map, node or relationship holds",
    call: (context, entity: Value) => [...propertiesOf(entity, "keys", context).keys()],
  }),
  defineFunction("properties(entity: map | node | relationship)", {
    returns: "map",
    modes: MODERN,
    description: "what a node or relationship holds, as a map",
    call: (context, entity: Value) => propertiesOf(entity, "properties", context),
  }),
  defineFunction("timestamp()", {
    returns: "integer",
    deterministic: false,
    description: "when the statement began, in milliseconds since 1970",
    call: (context) => context.statementTimeMs,
  }),
  defineFunction("randomUUID()", {
    returns: "string",
    modes: MODERN,
    deterministic: false,
    description: "a random identifier (UUID version 4)",
    call: (context) => randomUuid(context.random),
  }),
];

/** The properties of an entity, or the map itself. @throws InvalidType; modern: EntityNotFound for a deleted entity */
export function propertiesOf(entity: Value, name: string, context: FunctionContext): ReadonlyMap<string, Value> {
  if (isMap(entity)) {
    return entity;
  }
  const { view, tokens, mode } = context;
  if (entity instanceof NodeValue) {
    mustExist(view.nodeExists(entity.id), "Node", entity.id, mode);
    return new Map(
      view
        .nodePropertyKeys(entity.id)
        .map((key) => [tokens.propertyKeys.nameOf(key), view.nodeProperty(entity.id, key) ?? null]),
    );
  }
  if (entity instanceof RelationshipValue) {
    mustExist(view.relationshipExists(entity.id), "Relationship", entity.id, mode);
    return new Map(
      view
        .relationshipPropertyKeys(entity.id)
        .map((key) => [tokens.propertyKeys.nameOf(key), view.relationshipProperty(entity.id, key) ?? null]),
    );
  }
  throw mode === "modern"
    ? invalidArgument(name, "a MAP, NODE or RELATIONSHIP", entity)
    : typeError(
        `Expected ${ARGUMENT_TEXT} to be a node, relationship,or a literal map,\nbut it was ${javaClassName(entity)}`,
      );
}

function labelsOf(node: number, { view, tokens, mode }: FunctionContext): Value {
  mustExist(view.nodeExists(node), "Node", node, mode);
  if (mode === "2.3" && !view.nodeExists(node)) {
    throw unloadableNode(node);
  }
  return view.labelsOf(node).map((label) => tokens.labels.nameOf(label));
}

function mustExist(exists: boolean, entity: "Node" | "Relationship", id: number, mode: Mode): void {
  if (!exists && mode === "modern") {
    throw entityNotFound(`${entity} with id ${id} has been deleted in this transaction`);
  }
}

function idOf(entity: Value, name: string, mode: Mode): number {
  if (entity instanceof NodeValue || entity instanceof RelationshipValue) {
    return entity.id;
  }
  throw mode === "modern"
    ? invalidArgument(name, "a NODE or RELATIONSHIP", entity)
    : typeError(`Expected \`${ARGUMENT_TEXT}\` to be a node or relationship, but it was \`\``);
}

function relationshipArgument(value: Value, name: string, mode: Mode): number {
  if (value instanceof RelationshipValue) {
    return value.id;
  }
  throw mode === "modern"
    ? invalidArgument(name, "a RELATIONSHIP", value)
    : legacyCastError(value, "org.neo4j.graphdb.Relationship");
}

function pathArgument(value: Value, name: string, mode: Mode): PathValue {
  if (value instanceof PathValue) {
    return value;
  }
  throw mode === "modern"
    ? invalidArgument(name, "a PATH", value)
    : lateSyntaxError(`Expected ${ARGUMENT_TEXT} to be a path.`);
}

/** 122 random bits in the layout of RFC 9562 §5.4. */
function randomUuid(random: () => number): string {
  const bytes = Array.from({ length: 16 }, () => Math.floor(random() * 256));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
