import { type Mode, QueryError } from "@trefoil/cypher";
import { describeType } from "../values/type-of.ts";
import { toPropertyValue } from "../values/property-value.ts";
import { executionFailure, typeError, unloadableNode } from "../values/query-errors.ts";
import { NodeValue, PathValue, RelationshipValue, type Value } from "../values/value.ts";
import { isMap } from "../values/value-kind.ts";
import { WAIT_FOR_LOCK } from "./signals.ts";
import { describeJava, qualifiedJavaClassName } from "../values/legacy-text.ts";
import { type StatementContext } from "./statement-context.ts";

/** What waits for locks: resumed when it should ask again. */
export type Waiting = Generator<typeof WAIT_FOR_LOCK, void, void>;

/** `node.key = value`, the node locked already; null removes. */
export function setNodeProperty(
  { transaction, tokens, mode }: StatementContext,
  node: number,
  name: string,
  value: Value,
): void {
  const property = toPropertyValue(value, mode);
  // 2.3 counts setting to null even where no such property was.
  const isKnownName = property === undefined && mode === "modern";
  const key = isKnownName ? tokens.propertyKeys.find(name) : transaction.propertyKeyId(name);
  if (key >= 0) {
    transaction.setNodeProperty(node, key, property);
  }
}

/** `relationship.key = value`, the relationship locked already. */
export function setRelationshipProperty(
  { transaction, tokens, mode }: StatementContext,
  relationship: number,
  name: string,
  value: Value,
): void {
  const property = toPropertyValue(value, mode);
  // 2.3 counts setting to null even where no such property was.
  const isKnownName = property === undefined && mode === "modern";
  const key = isKnownName ? tokens.propertyKeys.find(name) : transaction.propertyKeyId(name);
  if (key >= 0) {
    transaction.setRelationshipProperty(relationship, key, property);
  }
}

/** `REMOVE node.key`, the node locked already. */
export function removeNodeProperty({ transaction, tokens, view }: StatementContext, node: number, name: string): void {
  const key = tokens.propertyKeys.find(name);
  if (key >= 0 && view.nodeProperty(node, key) !== undefined) {
    transaction.setNodeProperty(node, key, undefined);
  }
}

/** `REMOVE relationship.key`, the relationship locked already. */
export function removeRelationshipProperty(
  { transaction, tokens, view }: StatementContext,
  relationship: number,
  name: string,
): void {
  const key = tokens.propertyKeys.find(name);
  if (key >= 0 && view.relationshipProperty(relationship, key) !== undefined) {
    transaction.setRelationshipProperty(relationship, key, undefined);
  }
}

/** `REMOVE entity.key` where only the value tells what the entity is; null is left alone. */
export function* removePropertyOf(statement: StatementContext, entity: Value, name: string): Waiting {
  if (entity instanceof NodeValue) {
    yield* lockNode(statement, entity.id);
    removeNodeProperty(statement, entity.id, name);
  } else if (entity instanceof RelationshipValue) {
    yield* lockRelationship(statement, entity.id);
    removeRelationshipProperty(statement, entity.id, name);
  } else if (entity !== null) {
    throw typeError(`Type mismatch: expected a node or relationship but was ${describeType(entity)}`);
  }
}

/** 2.3 leaves a null alone where one property is set, but not where all are. */
export function refusePropertiesOfNull(value: Value, name: string): void {
  throw typeError(
    value === null
      ? `Expected ${name} to be a map, but it was :\`null\``
      : `Expected ${name} to be a node or a relationship, but it was :\`null\``,
  );
}

/** 2.3 breaks down over labels of null. */
export function refuseLabelsOfNull(): void {
  throw executionFailure("Labels of null cannot be changed");
}

/** `n = map` and `n += map` of a node that is locked already. */
export function setNodeProperties(
  statement: StatementContext,
  node: number,
  value: Value,
  merge: boolean,
  name: string,
): void {
  const properties = propertyMap(statement, value, name);
  if (!merge) {
    for (const key of statement.view.nodePropertyKeys(node)) {
      if (!properties.has(statement.tokens.propertyKeys.nameOf(key))) {
        statement.transaction.setNodeProperty(node, key, undefined);
      }
    }
  }
  properties.forEach((each, key) => {
    setNodeProperty(statement, node, key, each);
  });
}

/** `r = map` and `r += map` of a relationship that is locked already. */
export function setRelationshipProperties(
  statement: StatementContext,
  relationship: number,
  value: Value,
  merge: boolean,
  name: string,
): void {
  const properties = propertyMap(statement, value, name);
  if (!merge) {
    for (const key of statement.view.relationshipPropertyKeys(relationship)) {
      if (!properties.has(statement.tokens.propertyKeys.nameOf(key))) {
        statement.transaction.setRelationshipProperty(relationship, key, undefined);
      }
    }
  }
  properties.forEach((each, key) => {
    setRelationshipProperty(statement, relationship, key, each);
  });
}

/** The map that `n = …` takes: also the properties of another entity. */
function propertyMap(statement: StatementContext, value: Value, name: string): ReadonlyMap<string, Value> {
  return isMap(value) ? value : propertiesOf(statement, value, name);
}

function propertiesOf(
  { view, tokens, mode }: StatementContext,
  value: Value,
  name: string,
): ReadonlyMap<string, Value> {
  const named = (keys: readonly number[], read: (key: number) => Value | undefined): ReadonlyMap<string, Value> =>
    new Map(keys.map((key) => [tokens.propertyKeys.nameOf(key), read(key) ?? null]));
  if (value instanceof NodeValue) {
    return named(view.nodePropertyKeys(value.id), (key) => view.nodeProperty(value.id, key));
  }
  if (value instanceof RelationshipValue) {
    return named(view.relationshipPropertyKeys(value.id), (key) => view.relationshipProperty(value.id, key));
  }
  if (value === null && mode === "modern") {
    return new Map();
  }
  throw typeError(
    mode === "2.3"
      ? `Expected ${name} to be a map, but it was :\`${describeJava(value)}\``
      : `Expected ${name} to be a map, but it was ${describeType(value)}`,
  );
}

/** `entity.key = value` where only the value tells what the entity is; null is left alone. */
export function* setPropertyOf(statement: StatementContext, entity: Value, name: Value, value: Value): Waiting {
  if (typeof name !== "string") {
    throw typeError(`Type mismatch: expected a STRING as property name but was ${describeType(name)}`);
  }
  if (entity instanceof NodeValue) {
    yield* lockNode(statement, entity.id);
    setNodeProperty(statement, entity.id, name, value);
  } else if (entity instanceof RelationshipValue) {
    yield* lockRelationship(statement, entity.id);
    setRelationshipProperty(statement, entity.id, name, value);
  } else if (entity !== null) {
    throw typeError(`Type mismatch: expected a node or relationship but was ${describeType(entity)}`);
  }
}

/** `entity = map` and `entity += map`, likewise. */
export function* setPropertiesOf(
  statement: StatementContext,
  entity: Value,
  value: Value,
  merge: boolean,
  name: string,
): Waiting {
  if (entity === null && statement.mode === "2.3") {
    refusePropertiesOfNull(value, name);
  } else if (entity instanceof NodeValue) {
    yield* lockNode(statement, entity.id);
    setNodeProperties(statement, entity.id, value, merge, name);
  } else if (entity instanceof RelationshipValue) {
    yield* lockRelationship(statement, entity.id);
    setRelationshipProperties(statement, entity.id, value, merge, name);
  } else if (entity !== null) {
    throw typeError(`Type mismatch: expected a node or relationship but was ${describeType(entity)}`);
  }
}

/** Adds or takes labels of a node that is locked already. */
export function setLabels(
  { transaction, tokens, view, mode }: StatementContext,
  node: number,
  labels: readonly string[],
  remove: boolean,
): void {
  if (mode === "2.3" && !view.nodeExists(node)) {
    throw unloadableNode(node);
  }
  for (const name of labels) {
    if (!remove) {
      transaction.addLabel(node, transaction.labelId(name));
    } else if (tokens.labels.find(name) >= 0) {
      transaction.removeLabel(node, tokens.labels.find(name));
    }
  }
}

/** Labels of what only its value tells to be a node. */
export function* setLabelsOf(
  statement: StatementContext,
  entity: Value,
  labels: readonly string[],
  remove: boolean,
): Waiting {
  if (entity instanceof NodeValue) {
    yield* lockNode(statement, entity.id);
    setLabels(statement, entity.id, labels, remove);
  } else if (entity === null && statement.mode === "2.3") {
    refuseLabelsOfNull();
  } else if (entity !== null) {
    throw typeError(`Type mismatch: expected a node but was ${describeType(entity)}`);
  }
}

/**
 * Properties of an entity that was just made.
 *
 * @param isGiven  the map is a parameter as a whole: 2.3 has no nulls in those, and clients' suites rely on how it fails
 */
export function initializeNode(
  statement: StatementContext,
  node: number,
  properties: Value,
  isGiven: boolean = false,
): void {
  createdMap(properties, statement.mode, "node").forEach((value, name) => {
    if (value !== null) {
      setNodeProperty(statement, node, name, value);
    } else if (isGiven && statement.mode === "2.3") {
      throw executionFailure(`(${name},null) (of class scala.Tuple2)`);
    }
  });
}

/** The same for a relationship. */
export function initializeRelationship(
  statement: StatementContext,
  relationship: number,
  properties: Value,
  isGiven: boolean = false,
): void {
  createdMap(properties, statement.mode, "relationship").forEach((value, name) => {
    if (value !== null) {
      setRelationshipProperty(statement, relationship, name, value);
    } else if (isGiven && statement.mode === "2.3") {
      throw executionFailure("[null] is not a supported property value");
    }
  });
}

/** One property of a node that was just made; null is none. */
export function initializeNodeProperty(statement: StatementContext, node: number, name: string, value: Value): void {
  if (value !== null) {
    setNodeProperty(statement, node, name, value);
  }
}

/** The same for a relationship. */
export function initializeRelationshipProperty(
  statement: StatementContext,
  relationship: number,
  name: string,
  value: Value,
): void {
  if (value !== null) {
    setRelationshipProperty(statement, relationship, name, value);
  }
}

function createdMap(properties: Value, mode: Mode, entity: "node" | "relationship"): ReadonlyMap<string, Value> {
  if (isMap(properties)) {
    return properties;
  }
  if (mode === "2.3") {
    throw typeError(
      entity === "node"
        ? "Parameter provided for node creation is not a Map"
        : `Don't know how to extract parameters from this type: ${qualifiedJavaClassName(properties)}`,
    );
  }
  throw typeError(`Type mismatch: expected a map of properties but was ${describeType(properties)}`);
}

/** The end of a relationship to be made must be there. */
export function checkEnd({ view, mode }: StatementContext, node: number, name: string): void {
  if (node < 0 || !view.nodeExists(node)) {
    if (mode === "2.3" && node >= 0) {
      throw executionFailure(`Node[${node}] is deleted and cannot be used to create a relationship`);
    }
    if (mode === "2.3") {
      throw typeError(`Expected \`${name}\` to a node, but it is a null`);
    }
    const what = node < 0 ? "is null" : "was deleted";
    throw new QueryError(
      "ClientError.Statement.EntityNotFound",
      `Failed to create relationship: its end node \`${name}\` ${what}`,
      { phase: "runtime", tckDetail: "DeletedEntityAccess" },
    );
  }
}

/** What MERGE looks for must be comparable: null equals nothing. */
export function checkMergeProperties(properties: Value, entity: "node" | "relationship"): void {
  // No parameter stands for the map of a MERGE in 2.3, so it is one.
  createdMap(properties, "modern", entity).forEach((value, name) => {
    if (value === null) {
      throw new QueryError(
        "ClientError.Statement.InvalidSemantics",
        `Cannot merge ${entity} using null property value for ${name}`,
        { phase: "runtime", tckDetail: "MergeReadOwnWrites" },
      );
    }
  });
}

/** Deletes a node, a relationship or all of a path; what is gone already is left alone. */
export function* deleteValue(statement: StatementContext, value: Value, detach: boolean, expression: string): Waiting {
  if (value === null) {
    return;
  }
  if (value instanceof NodeValue) {
    yield* deleteNode(statement, value.id, detach);
  } else if (value instanceof RelationshipValue) {
    yield* deleteRelationship(statement, value.id);
  } else if (value instanceof PathValue) {
    for (const relationship of value.relationships) {
      yield* deleteRelationship(statement, relationship);
    }
    for (const node of value.nodes) {
      yield* deleteNode(statement, node, detach);
    }
  } else {
    throw typeError(
      statement.mode === "2.3"
        ? `Expression \`${expression}\` yielded \`${describeJava(value)}\`. Don't know how to delete that.`
        : `Type mismatch: expected a node, relationship or path but was ${describeType(value)}`,
    );
  }
}

function* deleteNode(statement: StatementContext, node: number, detach: boolean): Waiting {
  const { transaction, view } = statement;
  if (!view.nodeExists(node)) {
    return;
  }
  yield* lockNode(statement, node);
  if (detach) {
    const buffer = { relationships: new Int32Array(16), neighbours: new Int32Array(16) };
    const count = view.expand(node, "both", [], buffer);
    for (const relationship of buffer.relationships.slice(0, count)) {
      yield* deleteRelationship(statement, relationship);
    }
  }
  transaction.deleteNode(node);
}

function* deleteRelationship(statement: StatementContext, relationship: number): Waiting {
  const { transaction, view } = statement;
  if (!view.relationshipExists(relationship)) {
    return;
  }
  yield* lockNode(statement, view.startOf(relationship));
  yield* lockNode(statement, view.endOf(relationship));
  yield* lockRelationship(statement, relationship);
  transaction.deleteRelationship(relationship);
}

function* lockNode({ transaction }: StatementContext, node: number): Waiting {
  while (!transaction.lockNode(node)) {
    yield WAIT_FOR_LOCK;
  }
}

function* lockRelationship({ transaction }: StatementContext, relationship: number): Waiting {
  while (!transaction.lockRelationship(relationship)) {
    yield WAIT_FOR_LOCK;
  }
}

/** CREATE UNIQUE takes what is there only when there is no doubt what it is. */
export function severalMatches(pattern: string): QueryError {
  return new QueryError(
    "ClientError.Statement.ConstraintViolation",
    `The pattern ${pattern} produced multiple possible paths, and that is not allowed`,
    { phase: "runtime" },
  );
}
