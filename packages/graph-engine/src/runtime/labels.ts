import { describeType } from "../values/type-of.ts";
import { typeError } from "../values/query-errors.ts";
import { NodeValue, RelationshipValue, type Ternary, type Value } from "../values/value.ts";
import { type StatementContext } from "./statement-context.ts";

/** `value:Name` where only the value tells whether it is a node or a relationship. */
export function hasName(value: Value, name: string, { view, tokens }: StatementContext): Ternary {
  if (value === null) {
    return null;
  }
  if (value instanceof NodeValue) {
    const label = tokens.labels.find(name);
    return label >= 0 && view.hasLabel(value.id, label);
  }
  if (value instanceof RelationshipValue) {
    const type = tokens.relationshipTypes.find(name);
    return type >= 0 && view.typeOf(value.id) === type;
  }
  throw typeError(`Type mismatch: expected a node or relationship but was ${describeType(value)}`);
}

/** `value:%`: any label; a relationship always has its type. */
export function hasAnyName(value: Value, { view }: StatementContext): Ternary {
  if (value === null) {
    return null;
  }
  if (value instanceof NodeValue) {
    return view.labelsOf(value.id).length > 0;
  }
  if (value instanceof RelationshipValue) {
    return true;
  }
  throw typeError(`Type mismatch: expected a node or relationship but was ${describeType(value)}`);
}
