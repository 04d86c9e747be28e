import { StoreError } from "../errors.ts";
import { type Duplicate, fillIndex, fillTexts } from "../indexes/fill-index.ts";
import { type BuiltIndex } from "../indexes/catalog.ts";
import { FullTextIndex } from "../indexes/fulltext/full-text-index.ts";
import { ValueIndex } from "../indexes/value-index.ts";
import {
  type ConstraintDefinition,
  type ConstraintKind,
  type EntityKind,
  type IndexDefinition,
  type IndexKind,
  isExistence,
  isUniqueness,
  isValueIndex,
  type SchemaChange,
} from "../schema/definitions.ts";
import { generatedName } from "../schema/schema-names.ts";
import { type Schema } from "../schema/schema.ts";
import { constraintText, indexPlace, quotedValue } from "../schema/schema-text.ts";
import { type Tokens } from "../tables/token-table.ts";
import { type VersionStore } from "../versions/version-store.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { existenceViolations } from "./existence.ts";

/** What `CREATE INDEX` asks for. */
export interface IndexRequest {
  /** Made up when not said. */
  readonly name?: string | undefined;
  readonly kind?: IndexKind | undefined;
  readonly entity: EntityKind;
  readonly tokens: readonly string[];
  readonly properties: readonly string[];
  readonly analyzer?: string | undefined;
}

/** What `CREATE CONSTRAINT` asks for. */
export interface ConstraintRequest {
  readonly name?: string | undefined;
  readonly kind: ConstraintKind;
  readonly entity: EntityKind;
  readonly token: string;
  readonly properties: readonly string[];
}

/** The schema changes of one transaction: visible to itself at once, to others with its commit. */
export class SchemaWriter {
  readonly changes: SchemaChange[] = [];
  readonly built: Map<string, BuiltIndex> = new Map();
  readonly #versions: VersionStore;
  readonly #tokens: Tokens;
  #schema: Schema | undefined;

  constructor(versions: VersionStore, tokens: Tokens) {
    this.#versions = versions;
    this.#tokens = tokens;
  }

  get schema(): Schema {
    return this.#schema ?? this.#versions.catalog.schema;
  }

  /**
   * Fills the index with all there is.
   *
   * @throws StoreError  IndexAlreadyExists, ConstraintAlreadyExists, IllegalTokenName
   */
  async createIndex(request: IndexRequest): Promise<IndexDefinition> {
    const index = this.#indexOf(request);
    this.#checkNames([...index.tokens, ...index.properties]);
    this.#checkNoIndexLike(index);
    this.#checkNameFree(index.name);
    await this.#addIndex(index, undefined);
    return index;
  }

  /** @throws StoreError  NoSuchIndex, IndexBelongsToConstraint */
  dropIndex(name: string): void {
    const index = this.schema.findIndex(name);
    if (index === undefined) {
      throw new StoreError(
        "ClientError.Schema.NoSuchIndex",
        `Unable to drop index called \`${name}\`. There is no such index.`,
      );
    }
    if (index.constraint !== undefined) {
      throw new StoreError(
        "ClientError.Schema.IndexBelongsToConstraint",
        `Index belongs to constraint: :${index.tokens.join("|")}(${index.properties.join(", ")})`,
      );
    }
    this.#change({ kind: "drop index", name });
  }

  /**
   * Checks all there is, and makes the index that serves a uniqueness.
   *
   * @throws StoreError  ConstraintAlreadyExists, IndexAlreadyExists, IllegalTokenName, ConstraintCreationFailure when
   *                     the data is not so
   */
  async createConstraint(request: ConstraintRequest): Promise<ConstraintDefinition> {
    const { kind, entity, token, properties } = request;
    const name = request.name ?? generatedName("constraint", kind, entity, [token], properties);
    const constraint: ConstraintDefinition = { name, kind, entity, token, properties };
    this.#checkNames([token, ...properties]);
    this.#checkNoConstraintLike(constraint);
    this.#checkNameFree(name);
    if (isExistence(constraint)) {
      this.#checkAllExist(constraint);
    }
    if (isUniqueness(constraint)) {
      const index: IndexDefinition = { name, kind: "range", entity, tokens: [token], properties, constraint: name };
      await this.#addIndex(index, constraint);
    }
    this.#change({ kind: "add constraint", constraint });
    return constraint;
  }

  /** With the index that serves it. @throws StoreError  NoSuchConstraint */
  dropConstraint(name: string): void {
    const constraint = this.schema.findConstraint(name);
    if (constraint === undefined) {
      throw new StoreError(
        "ClientError.Schema.NoSuchConstraint",
        `Unable to drop constraint \`${name}\`: No such constraint \`${name}\`.`,
      );
    }
    this.#change({ kind: "drop constraint", name });
    for (const index of this.schema.indexes.filter((each) => each.constraint === name)) {
      this.#change({ kind: "drop index", name: index.name });
    }
  }

  /** After a part was committed: the schema is that of all. */
  startAgain(): void {
    this.changes.length = 0;
    this.#schema = undefined;
  }

  /** Makes the writer forget changes after the first `count`. */
  undoTo(count: number): void {
    this.changes.length = count;
    this.#schema = this.changes.reduce((schema, change) => schema.after(change), this.#versions.catalog.schema);
  }

  #indexOf({ name, kind = "range", entity, tokens, properties, analyzer }: IndexRequest): IndexDefinition {
    return {
      name: name ?? generatedName("index", kind, entity, tokens, properties),
      kind,
      entity,
      tokens,
      properties,
      constraint: undefined,
      ...(analyzer === undefined ? {} : { analyzer }),
    };
  }

  async #addIndex(index: IndexDefinition, constraint: ConstraintDefinition | undefined): Promise<void> {
    if (isValueIndex(index)) {
      const states = this.#versions.pinnedNewest();
      try {
        const ids = this.#idsOf(index);
        const made = new ValueIndex(index, ids, constraint !== undefined, states.epoch);
        const duplicate = await fillIndex(made, states.states);
        if (duplicate !== undefined && constraint !== undefined) {
          throw new StoreError(
            "DatabaseError.Schema.ConstraintCreationFailure",
            `Unable to create ${constraintText(constraint)}:\n${duplicateText(constraint, duplicate)}`,
          );
        }
        this.built.set(index.name, made);
      } finally {
        states.release();
      }
    }
    if (index.kind === "fulltext") {
      const states = this.#versions.pinnedNewest();
      try {
        const made = new FullTextIndex(index, this.#tokens);
        await fillTexts(made, states.states);
        this.built.set(index.name, made);
      } finally {
        states.release();
      }
    }
    this.#change({ kind: "add index", index });
  }

  #idsOf({ entity, tokens, properties }: IndexDefinition): { token: number; keys: readonly number[] } {
    const table = entity === "node" ? this.#tokens.labels : this.#tokens.relationshipTypes;
    return {
      token: table.idOf(tokens[0] ?? ""),
      keys: properties.map((property) => this.#tokens.propertyKeys.idOf(property)),
    };
  }

  #change(change: SchemaChange): void {
    this.#schema = this.schema.after(change);
    this.changes.push(change);
  }

  #checkNames(names: readonly string[]): void {
    names.forEach(checkTokenName);
  }

  #checkNameFree(name: string): void {
    if (this.schema.findIndex(name) !== undefined) {
      throw new StoreError("ClientError.Schema.IndexAlreadyExists", `There already exists an index called '${name}'.`);
    }
    if (this.schema.findConstraint(name) !== undefined) {
      throw new StoreError(
        "ClientError.Schema.ConstraintAlreadyExists",
        `There already exists a constraint called '${name}'.`,
      );
    }
  }

  #checkNoIndexLike(index: IndexDefinition): void {
    const { entity, tokens, properties } = index;
    const [token = ""] = tokens;
    const existing = isValueIndex(index)
      ? this.schema.indexOn(entity, token, properties)
      : this.schema.indexes.find((each) => isSameIndex(each, index));
    if (existing?.constraint !== undefined) {
      const what = `${entity === "node" ? "Label" : "Relationship type"} '${token}' and ${properties.length === 1 ? "property" : "properties"}`;
      throw new StoreError(
        "ClientError.Schema.ConstraintAlreadyExists",
        `${what} ${properties.map((each) => `'${each}'`).join(", ")} have a unique constraint defined on them, ` +
          "so an index is already created that matches this.",
      );
    }
    if (existing !== undefined) {
      throw new StoreError(
        "ClientError.Schema.IndexAlreadyExists",
        `There already exists an index for ${indexPlace(entity, token, properties)}.`,
      );
    }
  }

  #checkNoConstraintLike(constraint: ConstraintDefinition): void {
    const { entity, token, properties } = constraint;
    const alike = this.schema
      .constraintsOn(entity, token, properties)
      .find((each) => each.kind === constraint.kind || (isUniqueness(each) && isUniqueness(constraint)));
    if (alike !== undefined) {
      throw new StoreError(
        "ClientError.Schema.ConstraintAlreadyExists",
        `Constraint already exists: ${constraintText(alike)}`,
      );
    }
    if (isUniqueness(constraint) && this.schema.indexOn(entity, token, properties) !== undefined) {
      throw new StoreError(
        "ClientError.Schema.IndexAlreadyExists",
        `There already exists an index for ${indexPlace(entity, token, properties)}. ` +
          "A constraint cannot be created until the index has been dropped.",
      );
    }
  }

  #checkAllExist(constraint: ConstraintDefinition): void {
    for (const violation of existenceViolations(constraint, this.#versions.newest, this.#tokens)) {
      throw new StoreError(
        "DatabaseError.Schema.ConstraintCreationFailure",
        `Unable to create ${constraintText(constraint)}:\n${violation}`,
      );
    }
  }
}

/** @throws StoreError  `Schema.IllegalTokenName` */
export function checkTokenName(name: string): void {
  if (name === "") {
    throw new StoreError(
      "ClientError.Schema.IllegalTokenName",
      "'' is not a valid token name. Only non-null, non-empty strings are allowed.",
    );
  }
}

function isSameIndex(left: IndexDefinition, right: IndexDefinition): boolean {
  return (
    left.kind === right.kind &&
    left.entity === right.entity &&
    left.tokens.join("\0") === right.tokens.join("\0") &&
    left.properties.join("\0") === right.properties.join("\0")
  );
}

function duplicateText({ entity, token, properties }: ConstraintDefinition, duplicate: Duplicate): string {
  const [what, each, kind] = entity === "node" ? ["nodes", "node", "label"] : ["relationships", "relationship", "type"];
  const pairs = properties.map((property, at) => {
    return `\`${property}\` = ${quotedValue(duplicate.values[at] as PropertyValue)}`;
  });
  return (
    `Multiple ${what} with ${kind} \`${token}\` have ${pairs.length === 1 ? "property" : "properties"} ` +
    `${pairs.join(", ")}:\n  ${each}(${duplicate.first})\n  ${each}(${duplicate.second})`
  );
}
