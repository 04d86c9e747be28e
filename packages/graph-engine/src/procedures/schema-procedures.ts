import {
  constraintText,
  type ConstraintDefinition,
  type EntityKind,
  floatOf,
  type IndexDefinition,
  isUniqueness,
} from "@trefoil/graph-store";
import { NodeValue, RelationshipValue, type Value } from "../values/value.ts";
import { type ProcedureContext, type ProcedureDefinition, type ProcedureField } from "./procedure.ts";

const field = (name: string, type: string, nullable = false): ProcedureField => ({ name, type, nullable });

/** Indexes and constraints as procedures give them, and searches by full-text indexes. */
export const schemaProcedures: readonly ProcedureDefinition[] = [
  {
    name: "db.indexes",
    description: "All indexes of the database.",
    mode: "read",
    inputs: [],
    outputs: [
      field("id", "INTEGER"),
      field("name", "STRING"),
      field("description", "STRING"),
      field("state", "STRING"),
      field("populationPercent", "FLOAT"),
      field("uniqueness", "STRING"),
      field("type", "STRING"),
      field("entityType", "STRING"),
      field("labelsOrTypes", "LIST<STRING>"),
      field("properties", "LIST<STRING>"),
      field("provider", "STRING"),
    ],
    call: (_args, { transaction }) => sorted(transaction.schema.indexes).map(indexRow),
  },
  {
    name: "db.constraints",
    description: "All constraints of the database.",
    mode: "read",
    inputs: [],
    outputs: [field("name", "STRING"), field("description", "STRING"), field("details", "STRING")],
    call: (_args, { transaction }) => sorted(transaction.schema.constraints).map(constraintRow),
  },
  {
    name: "db.awaitIndexes",
    description: "Waits until all indexes are online; here they are as soon as they exist.",
    mode: "read",
    inputs: [{ ...field("timeOutSeconds", "INTEGER"), default: 300 }],
    outputs: [],
    call: () => [],
  },
  {
    name: "db.awaitIndex",
    description: "Waits until the index is online.",
    mode: "read",
    inputs: [field("indexName", "STRING"), { ...field("timeOutSeconds", "INTEGER"), default: 300 }],
    outputs: [],
    call: () => [],
  },
  textSearch("node", "db.index.fulltext.queryNodes"),
  textSearch("relationship", "db.index.fulltext.queryRelationships"),
  {
    name: "db.index.fulltext.listAvailableAnalyzers",
    description: "How full-text indexes take texts apart.",
    mode: "read",
    inputs: [],
    outputs: [field("analyzer", "STRING"), field("description", "STRING")],
    call: () => [["standard-no-stop-words", "Words of letters and digits, in lower case; no word is left out."]],
  },
];

/** `db.index.fulltext.queryNodes(indexName, queryString)`, best fitting first. */
function textSearch(entity: EntityKind, name: string): ProcedureDefinition {
  return {
    name,
    description: `${entity === "node" ? "Nodes" : "Relationships"} that a full-text index finds for a query of words.`,
    mode: "read",
    inputs: [
      field("indexName", "STRING"),
      field("queryString", "STRING"),
      { ...field("options", "MAP"), default: new Map() },
    ],
    outputs: [field(entity, entity.toUpperCase()), field("score", "FLOAT")],
    call: ([index, query, options], context) => searched(entity, textOf(index), textOf(query), options, context),
  };
}

function searched(
  entity: EntityKind,
  index: string,
  query: string,
  options: Value | undefined,
  { view, transaction }: ProcedureContext,
): readonly (readonly Value[])[] {
  if (transaction.schema.findIndex(index)?.entity !== entity) {
    throw new Error(`There is no such fulltext schema index of ${entity}s: ${index}`);
  }
  const option = (name: string, otherwise: number): number => {
    const value = options instanceof Map ? (options.get(name) as Value | undefined) : undefined;
    return typeof value === "number" ? value : otherwise;
  };
  const skip = option("skip", 0);
  return view
    .searchText(index, query)
    .slice(skip, skip + option("limit", Number.POSITIVE_INFINITY))
    .map(({ id, score }) => [entity === "node" ? new NodeValue(id) : new RelationshipValue(id), floatOf(score)]);
}

function indexRow(index: IndexDefinition, at: number): readonly Value[] {
  const { name, kind, entity, tokens, properties, constraint } = index;
  return [
    at + 1,
    name,
    `INDEX ON :${tokens.join("|")}(${properties.join(", ")})`,
    "ONLINE",
    floatOf(100),
    constraint === undefined ? "NONUNIQUE" : "UNIQUE",
    kind.toUpperCase(),
    entity.toUpperCase(),
    tokens,
    properties,
    kind === "fulltext" ? "fulltext-1.0" : "range-1.0",
  ];
}

function constraintRow(constraint: ConstraintDefinition): readonly Value[] {
  const owner = isUniqueness(constraint) ? `, ownedIndex='${constraint.name}'` : "";
  const details = `Constraint( name='${constraint.name}', type='${constraint.kind}'${owner} )`;
  return [constraint.name, constraintText(constraint), details];
}

function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

function sorted<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  return all.toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
}
