import { isUniqueness, isValueIndex, type IndexDefinition } from "../schema/definitions.ts";
import { StoreError } from "../errors.ts";
import { constraintText } from "../schema/schema-text.ts";
import { type Tokens } from "../tables/token-table.ts";
import { type VersionStore } from "../versions/version-store.ts";
import { FullTextIndex } from "./fulltext/full-text-index.ts";
import { type Catalog } from "./catalog.ts";
import { fillFromBase, holderOf } from "./fill-index.ts";
import { indexedEntities } from "./indexed-values.ts";
import { ValueIndex } from "./value-index.ts";

/**
 * Makes every index of the schema anew from the base: when a store is opened, and after an import. All that is
 * committed must be in the base.
 *
 * @param checked  whether to look for values that must be unique and are not (an import may bring some)
 * @throws StoreError  `Schema.ConstraintViolation`
 */
export function buildIndexes(catalog: Catalog, tokens: Tokens, versions: VersionStore, checked = false): void {
  for (const definition of catalog.schema.indexes.filter(isValueIndex)) {
    const constraint = catalog.schema.constraints.find((each) => each.name === definition.constraint);
    const unique = constraint !== undefined && isUniqueness(constraint);
    const index = new ValueIndex(definition, idsOf(definition, tokens), unique, versions.epoch);
    fillFromBase(index, versions.base);
    if (checked && constraint !== undefined && unique) {
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
  for (const definition of catalog.schema.indexes.filter(({ kind }) => kind === "fulltext")) {
    const index = new FullTextIndex(definition, tokens);
    for (const id of index.candidates(versions.newest)) {
      index.update(id, versions.newest);
    }
    catalog.addIndex(index);
  }
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
