import {
  type ConstraintDefinition,
  type EntityKind,
  floatOf,
  type IndexDefinition,
  isUniqueness,
} from "@trefoil/graph-store";
import { type Catalogs } from "./bind-context.ts";
import { type ShownColumn } from "./show-as-query.ts";
import { type ProcedureContext, type ProcedureDefinition, procedureSignature } from "../procedures/procedure.ts";
import { type Value } from "../values/value.ts";

export type ShownSubject = "indexes" | "constraints" | "procedures" | "functions";

const columns: Readonly<Record<ShownSubject, readonly ShownColumn[]>> = {
  indexes: [
    { name: "id", type: "INTEGER" },
    { name: "name", type: "STRING" },
    { name: "state", type: "STRING" },
    { name: "populationPercent", type: "FLOAT" },
    { name: "type", type: "STRING" },
    { name: "entityType", type: "STRING" },
    { name: "labelsOrTypes", type: "LIST<STRING>" },
    { name: "properties", type: "LIST<STRING>" },
    { name: "indexProvider", type: "STRING" },
    { name: "owningConstraint", type: "STRING" },
    { name: "options", type: "MAP", more: true },
    { name: "failureMessage", type: "STRING", more: true },
    { name: "createStatement", type: "STRING", more: true },
  ],
  constraints: [
    { name: "id", type: "INTEGER" },
    { name: "name", type: "STRING" },
    { name: "type", type: "STRING" },
    { name: "entityType", type: "STRING" },
    { name: "labelsOrTypes", type: "LIST<STRING>" },
    { name: "properties", type: "LIST<STRING>" },
    { name: "ownedIndex", type: "STRING" },
    { name: "propertyType", type: "STRING" },
    { name: "options", type: "MAP", more: true },
    { name: "createStatement", type: "STRING", more: true },
  ],
  procedures: [
    { name: "name", type: "STRING" },
    { name: "description", type: "STRING" },
    { name: "mode", type: "STRING" },
    { name: "worksOnSystem", type: "BOOLEAN" },
    { name: "signature", type: "STRING", more: true },
  ],
  functions: [
    { name: "name", type: "STRING" },
    { name: "category", type: "STRING" },
    { name: "description", type: "STRING" },
    { name: "isBuiltIn", type: "BOOLEAN", more: true },
    { name: "aggregating", type: "BOOLEAN", more: true },
  ],
};

export function showColumns(subject: ShownSubject): readonly ShownColumn[] {
  return columns[subject];
}

export function isShown(subject: string): subject is ShownSubject {
  return subject in columns;
}

/** The procedure behind a SHOW command (show-as-query.ts); its argument are the words before the subject. */
export function showProcedure(subject: ShownSubject, catalogs: Catalogs): ProcedureDefinition {
  return {
    name: `show.${subject}`,
    mode: "read",
    inputs: [{ name: "filter", type: "STRING", nullable: false }],
    outputs: columns[subject].map(({ name, type }) => ({ name, type, nullable: true })),
    call: ([filter], context) => rowsOf(subject, typeof filter === "string" ? filter : "", context, catalogs),
  };
}

function rowsOf(
  subject: ShownSubject,
  filter: string,
  { transaction }: ProcedureContext,
  catalogs: Catalogs,
): readonly (readonly Value[])[] {
  const { schema } = transaction;
  switch (subject) {
    case "indexes":
      return sorted(schema.indexes)
        .map((index, id) => ({ index, id }))
        .filter(({ index }) => filter === "" || filter === "ALL" || index.kind.toUpperCase() === filter)
        .map(({ index, id }) => indexRow(index, id));
    case "constraints":
      return sorted(schema.constraints)
        .map((constraint, id) => ({ constraint, id }))
        .filter(({ constraint }) => isAskedFor(constraint, filter))
        .map(({ constraint, id }) => constraintRow(constraint, id));
    case "procedures":
      return catalogs.procedures
        .names()
        .toSorted()
        .flatMap((name) => catalogs.procedures.find(name) ?? [])
        .map((each) => [each.name, each.description ?? "", each.mode.toUpperCase(), false, procedureSignature(each)]);
    case "functions":
      return functionRows(filter, catalogs);
  }
}

function functionRows(filter: string, { functions }: Catalogs): readonly (readonly Value[])[] {
  const builtIn = new Set<string>();
  return functions
    .names("modern")
    .toSorted()
    .flatMap((name) => {
      const found = functions.find(name, "modern");
      if (found === undefined || builtIn.has(found.name)) {
        return [];
      }
      builtIn.add(found.name);
      const isBuiltIn = !found.name.includes(".");
      const isAsked = filter === "" || filter === "ALL" || (filter === "BUILT IN") === isBuiltIn;
      return isAsked
        ? [[found.name, isBuiltIn ? "Built in" : "User defined", found.description, isBuiltIn, found.aggregate]]
        : [];
    });
}

function indexRow(index: IndexDefinition, id: number): readonly Value[] {
  const { name, kind, entity, tokens, properties, constraint } = index;
  const provider = kind === "lookup" ? "token-lookup-1.0" : kind === "fulltext" ? "fulltext-1.0" : "range-1.0";
  return [
    id + 1,
    name,
    "ONLINE",
    floatOf(100),
    kind.toUpperCase(),
    entityType(entity),
    kind === "lookup" ? null : tokens,
    kind === "lookup" ? null : properties,
    provider,
    constraint ?? null,
    new Map<string, Value>([
      ["indexProvider", provider],
      ["indexConfig", new Map()],
    ]),
    "",
    constraint === undefined ? createIndexStatement(index) : null,
  ];
}

function constraintRow(constraint: ConstraintDefinition, id: number): readonly Value[] {
  const { name, entity, token, properties } = constraint;
  return [
    id + 1,
    name,
    constraintType(constraint),
    entityType(entity),
    [token],
    properties,
    isUniqueness(constraint) ? name : null,
    null,
    new Map(),
    createConstraintStatement(constraint),
  ];
}

/** The words of `SHOW … CONSTRAINTS` and what they let through. */
function isAskedFor({ kind, entity }: ConstraintDefinition, filter: string): boolean {
  const words = filter
    .replace(/^ALL$/u, "")
    .replace(/\b(PROPERTY|EXISTENCE|EXISTS|EXIST)\b/gu, (word) => (word === "PROPERTY" ? "" : "EXIST"))
    .split(" ")
    .filter((word) => word !== "");
  return words.every((word) => {
    switch (word) {
      case "NODE":
        return entity === "node";
      case "RELATIONSHIP":
      case "REL":
        return entity === "relationship";
      case "UNIQUE":
      case "UNIQUENESS":
        return kind === "unique";
      case "KEY":
        return kind === "key";
      case "EXIST":
        return kind === "exists";
      default:
        // What is not offered, such as constraints on types, has no rows.
        return false;
    }
  });
}

function constraintType({ kind, entity }: ConstraintDefinition): string {
  const prefix = entity === "node" ? "NODE_" : "RELATIONSHIP_";
  switch (kind) {
    case "unique":
      return entity === "node" ? "UNIQUENESS" : "RELATIONSHIP_UNIQUENESS";
    case "key":
      return `${prefix}KEY`;
    case "exists":
      return `${prefix}PROPERTY_EXISTENCE`;
  }
}

function createIndexStatement({ name, kind, entity, tokens, properties }: IndexDefinition): string {
  const pattern = patternOf(entity, tokens.map(quoted).join("|"));
  const keys = properties.map((property) => `${entity === "node" ? "n" : "r"}.${quoted(property)}`).join(", ");
  switch (kind) {
    case "lookup":
      return entity === "node"
        ? `CREATE LOOKUP INDEX ${quoted(name)} FOR (n) ON EACH labels(n)`
        : `CREATE LOOKUP INDEX ${quoted(name)} FOR ()-[r]-() ON EACH type(r)`;
    case "fulltext":
      return `CREATE FULLTEXT INDEX ${quoted(name)} FOR ${pattern} ON EACH [${keys}]`;
    default:
      return `CREATE ${kind.toUpperCase()} INDEX ${quoted(name)} FOR ${pattern} ON (${keys})`;
  }
}

function createConstraintStatement(constraint: ConstraintDefinition): string {
  const { name, kind, entity, token, properties } = constraint;
  const keys = properties.map((property) => `${entity === "node" ? "n" : "r"}.${quoted(property)}`).join(", ");
  const requirement = {
    unique: `(${keys}) IS UNIQUE`,
    key: `(${keys}) IS ${entity === "node" ? "NODE" : "RELATIONSHIP"} KEY`,
    exists: `(${keys}) IS NOT NULL`,
  }[kind];
  return `CREATE CONSTRAINT ${quoted(name)} FOR ${patternOf(entity, quoted(token))} REQUIRE ${requirement}`;
}

function patternOf(entity: EntityKind, token: string): string {
  return entity === "node" ? `(n:${token})` : `()-[r:${token}]-()`;
}

function quoted(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

function entityType(entity: EntityKind): string {
  return entity === "node" ? "NODE" : "RELATIONSHIP";
}

function sorted<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  return all.toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
}
