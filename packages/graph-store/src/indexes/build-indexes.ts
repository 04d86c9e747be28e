import { type ConstraintDefinition, isUniqueness, isValueIndex, type IndexDefinition } from "../schema/definitions.ts";
import { StoreError } from "../errors.ts";
import { constraintText } from "../schema/schema-text.ts";
import { type Tokens } from "../tables/token-table.ts";
import { type VersionStore } from "../versions/version-store.ts";
import { FullTextIndex } from "./fulltext/full-text-index.ts";
import { type Catalog } from "./catalog.ts";
import { fillFromBase, holderOf } from "./fill-index.ts";
import { indexedEntities } from "./indexed-values.ts";
import { type IndexEntries, ValueIndex } from "./value-index.ts";

/**
 * Makes every index of the schema anew from the base: when a store is opened, and after an import. All that is
 * committed must be in the base.
 *
 * @param checked  whether to look for values that must be unique and are not (an import may bring some)
 * @throws StoreError  `Schema.ConstraintViolation`
 */
export function buildIndexes(catalog: Catalog, tokens: Tokens, versions: VersionStore, checked = false): void {
  for (const definition of catalog.schema.indexes.filter(isValueIndex)) {
    const unique = isUnique(catalog, definition);
    const index = new ValueIndex(definition, idsOf(definition, tokens), unique, versions.epoch);
    fillFromBase(index, versions.base);
    const constraint = unique ? constraintOf(catalog, definition) : undefined;
    if (checked && constraint !== undefined) {
      for (const { id, values } of indexedEntities(versions.newest, definition.entity, index.ids)) {
        const other = holderOf(index, versions.newest, values, id);
        if (other !== undefined) {
          throw new StoreError(
            "ClientError.Schema.ConstraintViolation",
            `The data does not satisfy ${constraintText(constraint)}: ${definition.entity}s ${id} and ${other} are alike.`,
          );
        }
      }
    }
    catalog.addIndex(index);
  }
  buildTexts(catalog, tokens, versions);
}

/**
 * The same for a thread that only reads: an index is filled when it is first asked.
 *
 * @param entries  of each index over values, by its name; indexes of words are not there
 */
export function buildIndexesLater(
  catalog: Catalog,
  tokens: Tokens,
  versions: VersionStore,
  entries: ReadonlyMap<string, IndexEntries>,
): void {
  for (const definition of catalog.schema.indexes.filter(isValueIndex)) {
    const known = entries.get(definition.name);
    if (known !== undefined) {
      const index = new ValueIndex(
        definition,
        idsOf(definition, tokens),
        isUnique(catalog, definition),
        versions.epoch,
      );
      index.fillLater(known, () => fillFromBase(index, versions.base));
      catalog.addIndex(index);
    }
  }
}

function buildTexts(catalog: Catalog, tokens: Tokens, versions: VersionStore): void {
  for (const definition of catalog.schema.indexes.filter(({ kind }) => kind === "fulltext")) {
    const index = new FullTextIndex(definition, tokens);
    for (const id of index.candidates(versions.newest)) {
      index.update(id, versions.newest);
    }
    catalog.addIndex(index);
  }
}

function isUnique(catalog: Catalog, definition: IndexDefinition): boolean {
  const constraint = constraintOf(catalog, definition);
  return constraint !== undefined && isUniqueness(constraint);
}

function constraintOf({ schema }: Catalog, { constraint }: IndexDefinition): ConstraintDefinition | undefined {
  return schema.constraints.find((each) => each.name === constraint);
}

function idsOf(
  { entity, tokens: names, properties }: IndexDefinition,
  tokens: Tokens,
): { token: number; keys: readonly number[] } {
  const table = entity === "node" ? tokens.labels : tokens.relationshipTypes;
  return {
    token: table.idOf(names[0] ?? ""),
    keys: properties.map((property) => tokens.propertyKeys.idOf(property)),
  };
}
