import { type BoundExpression } from "../binder/bound-expression.ts";
import { type Generator } from "./generator.ts";

/** A property of an entity that the code knows by its bare id. */
export interface ColumnRead {
  /** The local of the column's reader (runtime/column-reader.ts). */
  readonly reader: string;
  readonly id: string;
  readonly nullable: boolean;
}

/**
 * How `variable.key` is read with one reader per execution: over a clean view straight from the column. `undefined` for
 * other expressions, and in statements that write, where columns and names may change between two rows.
 */
export function columnRead(expression: BoundExpression, generator: Generator): ColumnRead | undefined {
  if (
    generator.options.updating ||
    expression.kind !== "Property" ||
    expression.subject.kind !== "VariableReference" ||
    !expression.subject.variable.isEntity
  ) {
    return undefined;
  }
  const { variable } = expression.subject;
  const { key } = expression;
  const entity = variable.type.kind === "node" ? "node" : "relationship";
  const reader = generator.once(`column ${entity} ${key}`, `${entity}_${key}`, () =>
    generator.call("newColumnReader", JSON.stringify(entity), generator.token("propertyKeys", key), "statement"),
  );
  return { reader, id: generator.local(variable), nullable: variable.nullable };
}

/** JavaScript of a boolean: whether the node has the label. */
export function labelTest(node: string, label: string, generator: Generator): string {
  const token = generator.token("labels", label);
  if (generator.options.updating) {
    return `view.hasLabel(${node}, ${token})`;
  }
  const reader = generator.once(`label reader ${label}`, `is_${label}`, () =>
    generator.call("newLabelReader", "view", token),
  );
  return `${reader}.has(${node})`;
}
