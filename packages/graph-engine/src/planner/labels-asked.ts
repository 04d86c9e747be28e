import { type BoundExpression } from "../binder/bound-expression.ts";
import { type Variable } from "../binder/variable.ts";

/** The label that a predicate asks of `node` by its name, if that is all it asks. */
export function labelAskedOf(node: Variable, predicate: BoundExpression): string | undefined {
  return predicate.kind === "HasLabels" &&
    predicate.labels.kind === "Name" &&
    predicate.subject.kind === "VariableReference" &&
    predicate.subject.variable === node
    ? predicate.labels.name
    : undefined;
}

/** Every label that `predicates` ask of `node`. */
export function labelsAskedOf(node: Variable, predicates: readonly BoundExpression[]): readonly string[] {
  return predicates.map((predicate) => labelAskedOf(node, predicate)).filter((label) => label !== undefined);
}
