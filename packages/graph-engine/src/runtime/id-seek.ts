import { QueryError } from "@trefoil/cypher";
import { refuseOversized } from "../values/arithmetic.ts";
import { NodeValue, RelationshipValue, type Value } from "../values/value.ts";
import { isList, isNumber, toDouble } from "../values/value-kind.ts";
import { type StatementContext } from "./statement-context.ts";

/**
 * The ids of existing entities that a value names: an id, an entity or a list of them.
 *
 * @param strict  START: an id that is not there is an error, and every entry gives a row, repeated ones too
 * @throws  EntityNotFound when strict; what is no id at all gives no row
 */
export function seekIds(
  { view }: StatementContext,
  ids: Value,
  entity: "node" | "relationship",
  strict: boolean,
): readonly number[] {
  const exists = (id: number): boolean =>
    Number.isInteger(id) &&
    id >= 0 &&
    (entity === "node"
      ? id < view.nodeIdLimit && view.nodeExists(id)
      : id < view.relationshipIdLimit && view.relationshipExists(id));
  const found: number[] = [];
  for (const each of isList(ids) ? ids : [ids]) {
    const id = idOf(each);
    if (id !== undefined && exists(id)) {
      found.push(id);
    } else if (strict && id !== undefined && Number.isInteger(id)) {
      throw missing(each, entity);
    }
  }
  return strict ? found : [...new Set(found)];
}

function idOf(value: Value): number | undefined {
  if (value instanceof NodeValue || value instanceof RelationshipValue) {
    return value.id;
  }
  refuseOversized(value);
  return isNumber(value) ? toDouble(value) : undefined;
}

function missing(value: Value, entity: "node" | "relationship"): Error {
  const what = entity === "node" ? "Node" : "Relationship";
  return new QueryError("ClientError.Statement.EntityNotFound", `${what} with id ${String(idOf(value))}`, {
    phase: "runtime",
    tckDetail: "EntityNotFound",
  });
}
