import { type EntityKind } from "../ast/clauses.ts";
import {
  type ConstraintDefinition,
  type ConstraintRequirement,
  type CreateConstraint,
  type CreateIndex,
  type DropConstraint,
  type DropIndex,
  type IndexType,
  type SchemaCommand,
} from "../ast/commands.ts";
import { type MapLiteral, type Name, type Parameter } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";
import { findProperties } from "./maps.ts";
import { parameter, startsParameter } from "./parameters.ts";
import { typeOf } from "./types.ts";
import { nameOf, variable } from "./variables.ts";

const INDEX_TYPES: ReadonlyMap<string, IndexType> = new Map<string, IndexType>([
  ["RANGE", "range"],
  ["TEXT", "text"],
  ["POINT", "point"],
  ["LOOKUP", "lookup"],
  ["FULLTEXT", "fulltext"],
  ["VECTOR", "vector"],
  ["BTREE", "btree"],
]);

/** Commands on indexes and constraints, of both eras, if the cursor is at one. */
export function findSchemaCommand(cursor: Cursor): SchemaCommand | undefined {
  const verb = cursor.isWord("CREATE") ? "create" : cursor.isWord("DROP") ? "drop" : undefined;
  if (verb === undefined) {
    return undefined;
  }
  if (cursor.isWord("INDEX", 1) && isCommand(cursor, 2)) {
    return verb === "create" ? createIndex(cursor, "default") : dropIndex(cursor);
  }
  if (cursor.isWord("CONSTRAINT", 1) && isCommand(cursor, 2)) {
    return verb === "create" ? createConstraint(cursor) : dropConstraint(cursor);
  }
  if (verb === "create" && cursor.isModern && cursor.isWord("INDEX", 2)) {
    return typedIndex(cursor);
  }
  if (verb === "drop" && !cursor.isModern) {
    cursor.advance();
    cursor.expectOneOf(["CONSTRAINT", "INDEX"]);
  }
  return undefined;
}

/** `CREATE index-->…` is a bare node by that name. */
function isCommand(cursor: Cursor, distance: number): boolean {
  const kind = cursor.kindAhead(distance);
  return kind === "word" || kind === "quoted name" || kind === "$" || kind === "{";
}

function typedIndex(cursor: Cursor): CreateIndex | undefined {
  for (const [word, type] of INDEX_TYPES) {
    if (cursor.isWord(word, 1)) {
      return createIndex(cursor, type);
    }
  }
  return undefined;
}

function createIndex(cursor: Cursor, type: IndexType): CreateIndex {
  const position = cursor.position();
  cursor.expectWord("CREATE");
  if (type !== "default") {
    cursor.advance();
  }
  cursor.expectWord("INDEX");
  if (type === "default" && cursor.isWord("ON") && (cursor.kindAhead(1) === ":" || !cursor.isModern)) {
    const { label, properties } = oldSchema(cursor);
    const plain = { name: undefined, ifNotExists: false, entity: "node", options: undefined } as const;
    return { kind: "CreateIndex", position, legacy: true, type, labels: [label], properties, ...plain };
  }
  cursor.requireModern();
  const { name, ifNotExists } = nameAndExistence(cursor);
  cursor.expectWord("FOR");
  const { entity, owner, labels } = indexedEntity(cursor, type === "lookup");
  cursor.expectWord("ON");
  const properties = indexedProperties(cursor, type, owner);
  return {
    kind: "CreateIndex",
    position,
    legacy: false,
    type,
    name,
    ifNotExists,
    entity,
    labels,
    properties,
    options: findOptions(cursor),
  };
}

/** `ON :Label(property)`. */
function oldSchema(cursor: Cursor): { label: Name; properties: readonly Name[] } {
  cursor.expectWord("ON");
  cursor.expect(":");
  const label = nameOf(cursor, "a label name");
  cursor.expect("(");
  const properties = names(cursor, "a property key name", cursor.isModern);
  cursor.expect(")");
  return { label, properties };
}

function names(cursor: Cursor, what: string, allowsSeveral: boolean): readonly Name[] {
  const list = [nameOf(cursor, what)];
  while (allowsSeveral && cursor.accept(",")) {
    list.push(nameOf(cursor, what));
  }
  return list;
}

function nameAndExistence(cursor: Cursor): { name: Name | Parameter | undefined; ifNotExists: boolean } {
  const isUnnamed = cursor.isAnyWord(["FOR", "ON"]) || (cursor.isWord("IF") && cursor.isWord("NOT", 1));
  const name = isUnnamed ? undefined : schemaName(cursor);
  return { name, ifNotExists: cursor.acceptWords("IF", "NOT", "EXISTS") };
}

function schemaName(cursor: Cursor): Name | Parameter {
  return startsParameter(cursor) ? parameter(cursor) : nameOf(cursor, "a name");
}

/** `(n:L)`, `()-[r:T]-()`; full-text indexes take several labels, lookup indexes none. */
function indexedEntity(cursor: Cursor, isLookup: boolean): IndexedEntity {
  const named = (): Omit<IndexedEntity, "entity"> => ({
    owner: variable(cursor).name,
    labels: isLookup ? [] : entityLabels(cursor),
  });
  cursor.expect("(");
  if (!cursor.accept(")")) {
    const node = named();
    cursor.expect(")");
    return { entity: "node", ...node };
  }
  return { entity: "relationship", ...betweenArrows(cursor, named) };
}

interface IndexedEntity {
  readonly entity: EntityKind;
  /** The variable that stands for it. */
  readonly owner: string;
  readonly labels: readonly Name[];
}

function entityLabels(cursor: Cursor): readonly Name[] {
  cursor.expect(":");
  const labels = [nameOf(cursor, "a label name")];
  while (cursor.accept("|")) {
    labels.push(nameOf(cursor, "a label name"));
  }
  return labels;
}

/** `-[…]-()` or `<-[…]-()` or `-[…]->()`, behind the first `()`. */
function betweenArrows<T>(cursor: Cursor, inner: () => T): T {
  cursor.accept("<");
  cursor.expect("-");
  cursor.expect("[");
  const result = inner();
  cursor.expect("]");
  cursor.expect("-");
  cursor.accept(">");
  cursor.expect("(");
  cursor.expect(")");
  return result;
}

/** `(n.a, n.b)`, `EACH [n.a, n.b]`, `EACH labels(n)`. */
function indexedProperties(cursor: Cursor, type: IndexType, owner: string): readonly Name[] {
  const isEach = cursor.acceptWord("EACH");
  if (type === "lookup") {
    cursor.expectOneOf(["LABELS", "TYPE"]);
    cursor.expect("(");
    variable(cursor);
    cursor.expect(")");
    return [];
  }
  cursor.expect(isEach ? "[" : "(");
  const properties = [];
  do {
    properties.push(propertyOfOwner(cursor, owner));
  } while (cursor.accept(","));
  cursor.expect(isEach ? "]" : ")");
  return properties;
}

function propertyOf(cursor: Cursor): { variable: ConstraintDefinition["variable"]; property: Name } {
  const owner = variable(cursor);
  cursor.expect(".");
  return { variable: owner, property: nameOf(cursor, "a property key name") };
}

function findOptions(cursor: Cursor): MapLiteral | Parameter | undefined {
  if (!cursor.acceptWord("OPTIONS")) {
    return undefined;
  }
  return findProperties(cursor) ?? cursor.fail();
}

function dropIndex(cursor: Cursor): DropIndex {
  const position = cursor.position();
  cursor.acceptWords("DROP", "INDEX");
  const targetPosition = cursor.position();
  if (cursor.isWord("ON") && (cursor.kindAhead(1) === ":" || !cursor.isModern)) {
    return {
      kind: "DropIndex",
      position,
      target: { kind: "BySchema", position: targetPosition, ...oldSchema(cursor) },
    };
  }
  return { kind: "DropIndex", position, target: byName(cursor) };
}

function byName(cursor: Cursor): Extract<DropIndex["target"], { kind: "ByName" }> {
  cursor.requireModern();
  const position = cursor.position();
  return { kind: "ByName", position, name: schemaName(cursor), ifExists: cursor.acceptWords("IF", "EXISTS") };
}

function createConstraint(cursor: Cursor): CreateConstraint {
  const position = cursor.position();
  cursor.acceptWords("CREATE", "CONSTRAINT");
  const head = cursor.isModern ? nameAndExistence(cursor) : { name: undefined, ifNotExists: false };
  const isOld = cursor.atWord("ON");
  if (!isOld) {
    cursor.requireModern();
  }
  const definition = constraintDefinition(cursor);
  const legacy = isOld && head.name === undefined && !head.ifNotExists;
  const options = cursor.isModern ? findOptions(cursor) : undefined;
  return { kind: "CreateConstraint", position, legacy, ...head, definition, options };
}

function dropConstraint(cursor: Cursor): DropConstraint {
  const position = cursor.position();
  cursor.acceptWords("DROP", "CONSTRAINT");
  if (cursor.isWord("ON") && cursor.kindAhead(1) === "(") {
    const definition = constraintDefinition(cursor);
    return {
      kind: "DropConstraint",
      position,
      target: { kind: "ByDefinition", position: definition.position, definition },
    };
  }
  return { kind: "DropConstraint", position, target: byName(cursor) };
}

/** `FOR (n:L) REQUIRE …` or `ON (n:L) ASSERT …`. */
function constraintDefinition(cursor: Cursor): ConstraintDefinition {
  const position = cursor.position();
  const isOld = cursor.acceptWord("ON");
  if (!isOld) {
    cursor.expectWord("FOR");
  }
  const described = constrainedEntity(cursor);
  cursor.expectWord(isOld ? "ASSERT" : "REQUIRE");
  if (!cursor.isModern && described.entity === "relationship" && !cursor.atWord("EXISTS")) {
    cursor.fail();
  }
  if (isOld && cursor.isWord("EXISTS") && cursor.kindAhead(1) === "(") {
    const requirementPosition = cursor.position();
    cursor.advance();
    const properties = constrainedProperties(cursor, true, described.variable.name);
    const requirement = { kind: "Exists", position: requirementPosition } as const;
    return { kind: "ConstraintDefinition", position, ...described, properties, requirement };
  }
  const properties = constrainedProperties(cursor, false, described.variable.name);
  return { kind: "ConstraintDefinition", position, ...described, properties, requirement: requirementOf(cursor) };
}

function constrainedEntity(cursor: Cursor): Pick<ConstraintDefinition, "entity" | "variable" | "label"> {
  cursor.expect("(");
  if (!cursor.accept(")")) {
    const described = variableAndLabel(cursor);
    cursor.expect(")");
    return { entity: "node", ...described };
  }
  return { entity: "relationship", ...betweenArrows(cursor, () => variableAndLabel(cursor)) };
}

function variableAndLabel(cursor: Cursor): Pick<ConstraintDefinition, "variable" | "label"> {
  const name = variable(cursor);
  cursor.expect(":");
  return { variable: name, label: nameOf(cursor, "a label name") };
}

/** `n.p`, `(n.p)`, `(n.p, n.q)`. */
function constrainedProperties(cursor: Cursor, isInCall: boolean, owner: string): readonly Name[] {
  const isParenthesized = (cursor.isModern || isInCall) && cursor.accept("(");
  const properties = [propertyOfOwner(cursor, owner)];
  while (isParenthesized && cursor.isModern && cursor.accept(",")) {
    properties.push(propertyOfOwner(cursor, owner));
  }
  if (isParenthesized) {
    cursor.expect(")");
  }
  return properties;
}

/** A property of what the command is about. */
function propertyOfOwner(cursor: Cursor, owner: string): Name {
  const { variable: written, property } = propertyOf(cursor);
  if (written.name !== owner) {
    const message = cursor.isModern ? `Variable \`${written.name}\` not defined` : `${written.name} not defined`;
    throw cursor.error(message, written.position, "UndefinedVariable");
  }
  return property;
}

function requirementOf(cursor: Cursor): ConstraintRequirement {
  const position = cursor.position();
  cursor.expectWord("IS");
  if (cursor.acceptWord("UNIQUE")) {
    return { kind: "Unique", position };
  }
  cursor.requireModern();
  if (cursor.acceptWords("NOT", "NULL")) {
    return { kind: "Exists", position };
  }
  if (cursor.accept(":")) {
    cursor.expect(":");
    return { kind: "Typed", position, type: typeOf(cursor) };
  }
  if (cursor.acceptWord("TYPED")) {
    return { kind: "Typed", position, type: typeOf(cursor) };
  }
  const entity = cursor.expectOneOf(["NODE", "RELATIONSHIP", "REL", "KEY"]);
  if (entity !== "KEY" && cursor.acceptWord("UNIQUE")) {
    return { kind: "Unique", position };
  }
  if (entity !== "KEY") {
    cursor.expectWord("KEY");
  }
  return { kind: entity === "RELATIONSHIP" || entity === "REL" ? "RelationshipKey" : "NodeKey", position };
}
