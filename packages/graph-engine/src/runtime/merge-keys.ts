import { QueryError } from "@trefoil/cypher";
import { type PropertyValue } from "@trefoil/graph-store";
import { toPropertyValue } from "../values/property-value.ts";
import { type Value } from "../values/value.ts";
import { isMap } from "../values/value-kind.ts";
import { type StatementContext } from "./statement-context.ts";

/**
 * Before MERGE makes a node that unique values identify: holds these values against others, and whoever has them, so
 * that looking again finds what others have made meanwhile. `false` while they are held by another transaction.
 */
export function lockMergeKeys(statement: StatementContext, labels: readonly string[], properties: Value): boolean {
  const { transaction } = statement;
  const tokens = labels.map((label) => transaction.labelId(label));
  return transaction.lockUnique("node", tokens, keysOf(properties, statement));
}

/**
 * What MERGE found nothing for cannot be made either when different nodes have different ones of its unique values.
 *
 * @throws  ConstraintViolation with the constraints in conflict (graph-measured)
 */
export function checkMergeKeys(statement: StatementContext, labels: readonly string[], properties: Value): void {
  const { transaction } = statement;
  const tokens = labels.map((label) => transaction.labelId(label));
  const holders = transaction.uniqueHolders("node", tokens, keysOf(properties, statement));
  if (new Set(holders.map(({ id }) => id)).size > 1) {
    const constraints = holders.map(({ index }) => `:${index.tokens.join(":")}.${index.properties.join(", ")}`);
    throw new QueryError(
      "ClientError.Statement.ConstraintViolation",
      "Merge did not find a matching node and can not create a new node due to conflicts with existing unique nodes. " +
        `The conflicting constraints are on: ${listed(constraints)}`,
      { phase: "runtime" },
    );
  }
}

function keysOf(properties: Value, { transaction, mode }: StatementContext): ReadonlyMap<number, PropertyValue> {
  const keys = new Map<number, PropertyValue>();
  if (isMap(properties)) {
    properties.forEach((value, name) => {
      const property = toPropertyValue(value, mode);
      if (property !== undefined) {
        keys.set(transaction.propertyKeyId(name), property);
      }
    });
  }
  return keys;
}

/** `a`, `a and b`, `a, b and c`. */
function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
}
