/** What an index or a constraint is about: nodes with a label, or relationships of a type. */
export type EntityKind = "node" | "relationship";

/**
 * What was asked for by `CREATE … INDEX`. Range, text and point indexes are one structure that answers all of them
 * (decisions/0080); a lookup index stands for the label bitmaps and type counts that are always there.
 */
export type IndexKind = "range" | "text" | "point" | "lookup" | "fulltext";

export interface IndexDefinition {
  /** Unique among indexes and constraints. */
  readonly name: string;
  readonly kind: IndexKind;
  readonly entity: EntityKind;
  /** One label or type; several for full-text, none for lookup. */
  readonly tokens: readonly string[];
  /** In the order in which they were given; none for lookup. */
  readonly properties: readonly string[];
  /** The constraint that the index serves and goes with. */
  readonly constraint: string | undefined;
  /** Of full-text indexes: how text becomes words. */
  readonly analyzer?: string | undefined;
}

/** `unique`: no two alike. `exists`: never absent. `key`: both. */
export type ConstraintKind = "unique" | "exists" | "key";

export interface ConstraintDefinition {
  readonly name: string;
  readonly kind: ConstraintKind;
  readonly entity: EntityKind;
  readonly token: string;
  readonly properties: readonly string[];
}

/** One step from a schema to the next, as the log keeps it. */
export type SchemaChange =
  | { readonly kind: "add index"; readonly index: IndexDefinition }
  | { readonly kind: "drop index"; readonly name: string }
  | { readonly kind: "add constraint"; readonly constraint: ConstraintDefinition }
  | { readonly kind: "drop constraint"; readonly name: string };

/** Whether the index answers questions about values of properties (a full-text one answers about words). */
export function isValueIndex(index: IndexDefinition): boolean {
  return index.kind === "range" || index.kind === "text" || index.kind === "point";
}

/** Whether the constraint forbids two entities with the same values. */
export function isUniqueness(constraint: ConstraintDefinition): boolean {
  return constraint.kind !== "exists";
}

/** Whether the constraint forbids an absent value. */
export function isExistence(constraint: ConstraintDefinition): boolean {
  return constraint.kind !== "unique";
}
