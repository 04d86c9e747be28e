import { hasValues, holderOf } from "../indexes/fill-index.ts";
import { type ValueIndex } from "../indexes/value-index.ts";
import { isExistence, isValueIndex } from "../schema/definitions.ts";
import { type Tokens } from "../tables/token-table.ts";
import { existenceViolations } from "../transactions/existence.ts";
import { type VersionStore } from "../versions/version-store.ts";
import { Problems } from "./problems.ts";

/** Checks that indexes hold exactly what they should, and that the data is as its constraints say. */
export function checkIndexes(versions: VersionStore, tokens: Tokens): readonly string[] {
  const problems = new Problems();
  const { catalog } = versions;
  for (const definition of catalog.schema.indexes.filter(isValueIndex)) {
    const index = catalog.findByName(definition.name);
    if (index === undefined) {
      problems.add(`index ${definition.name} is in the schema, but not there`);
    } else {
      checkIndex(index, versions, problems);
    }
  }
  checkConstraints(versions, tokens, problems);
  return problems.all();
}

function checkIndex(index: ValueIndex, versions: VersionStore, problems: Problems): void {
  const { name, entity } = index.definition;
  const { newest } = versions;
  let count = 0;
  for (const { id, values } of versions.statesIn(index)) {
    count += 1;
    const found: number[] = [];
    index.collectEqual(values, found);
    if (!found.includes(id)) {
      problems.add(`index ${name} does not find ${entity} ${id}`);
    }
    if (index.unique && hasValues(index, newest, id, values)) {
      const other = holderOf(index, newest, values, id);
      if (other !== undefined && other > id) {
        problems.add(`index ${name} should be unique, but ${entity}s ${id} and ${other} are alike`);
      }
    }
  }
  problems.expect(index.size, count, `the number of entries of index ${name}`);
}

function checkConstraints(versions: VersionStore, tokens: Tokens, problems: Problems): void {
  const { newest, catalog } = versions;
  for (const constraint of catalog.schema.constraints.filter(isExistence)) {
    for (const violation of existenceViolations(constraint, newest, tokens)) {
      problems.add(violation);
    }
  }
}
