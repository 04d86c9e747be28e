import { type EntityKind } from "../../schema/definitions.ts";
import { type PropertyScalar, type PropertyValue } from "../../values/property-value.ts";
import { PointValue } from "../../values/temporal-values.ts";
import { WholeFloat } from "../../values/whole-float.ts";
import { type ChangeSet, type PropertyChanges } from "../../versions/changes.ts";
import { autoIndexName, type LegacyEntryChange } from "./legacy-change.ts";
import { type LegacyIndexes } from "./legacy-indexes.ts";

/** What the automatic indexes do about a transaction's changes of properties they follow. */
export function autoIndexChanges(
  changes: Pick<ChangeSet, "nodes" | "relationships">,
  indexes: LegacyIndexes,
  nameOfKey: (key: number) => string,
): LegacyEntryChange[] {
  const result: LegacyEntryChange[] = [];
  follow("node", changes.nodes, indexes, nameOfKey, result);
  follow("relationship", changes.relationships, indexes, nameOfKey, result);
  return result;
}

function follow(
  entity: EntityKind,
  changes: ReadonlyMap<number, { readonly deleted: boolean; readonly properties: PropertyChanges }>,
  indexes: LegacyIndexes,
  nameOfKey: (key: number) => string,
  into: LegacyEntryChange[],
): void {
  const { enabled, keys } = indexes.auto(entity);
  if (!enabled || keys.length === 0) {
    return;
  }
  const index = autoIndexName(entity);
  const followed = new Set(keys);
  for (const [id, { deleted, properties }] of changes) {
    if (deleted) {
      continue;
    }
    for (const [at, keyId] of properties.keys.entries()) {
      const key = nameOfKey(keyId);
      if (!followed.has(key)) {
        continue;
      }
      for (const entry of indexes.find(entity, index)?.entriesOf(id) ?? []) {
        if (entry.key === key) {
          into.push({ kind: "remove", entity, index, id, key, value: entry.value });
        }
      }
      for (const value of legacyTexts(properties.values[at])) {
        into.push({ kind: "add", entity, index, id, key, value });
      }
    }
  }
}

/** A property as legacy indexes hold it: as text, a list by its elements. */
export function legacyTexts(value: PropertyValue | undefined): readonly string[] {
  if (value === undefined) {
    return [];
  }
  return Array.isArray(value) ? (value as readonly PropertyScalar[]).map(textOf) : [textOf(value as PropertyScalar)];
}

function textOf(value: PropertyScalar): string {
  if (value instanceof WholeFloat) {
    return `${Object.is(value.value, -0) ? "-0" : value.value}.0`;
  }
  if (value instanceof PointValue) {
    return value.coordinates.join(" ");
  }
  return typeof value === "object"
    ? JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each))
    : String(value);
}
