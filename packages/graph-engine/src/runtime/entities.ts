import { type TokenTable } from "@trefoil/graph-store";
import { describeType } from "../values/type-of.ts";
import { typeError } from "../values/query-errors.ts";
import { NodeValue, RelationshipValue, type Value } from "../values/value.ts";

export function newNode(id: number): NodeValue {
  return new NodeValue(id);
}

export function newRelationship(id: number): RelationshipValue {
  return new RelationshipValue(id);
}

/** The bare id of a node, -1 of null. */
export function nodeId(value: Value): number {
  if (value instanceof NodeValue) {
    return value.id;
  }
  if (value === null) {
    return -1;
  }
  throw typeError(`Type mismatch: expected a node but was ${describeType(value)}`);
}

/** The bare id of a relationship, -1 of null. */
export function relationshipId(value: Value): number {
  if (value instanceof RelationshipValue) {
    return value.id;
  }
  if (value === null) {
    return -1;
  }
  throw typeError(`Type mismatch: expected a relationship but was ${describeType(value)}`);
}

/** Looks a name up again until it is known: a statement may create it while it runs. */
export interface TokenLookup {
  /** -1 while the name is unknown. */
  readonly id: number;
}

export function tokenLookup(table: TokenTable, name: string): TokenLookup {
  let known = table.find(name);
  return {
    get id(): number {
      if (known < 0) {
        known = table.find(name);
      }
      return known;
    },
  };
}
