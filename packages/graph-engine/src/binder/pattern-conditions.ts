import { must } from "@trefoil/base";
import { type LabelExpression, type MapLiteral, type Parameter } from "@trefoil/cypher";
import { graphFunctions } from "../functions/graph-functions.ts";
import { type BindContext, bindExpression, type ExpressionPlace } from "./bind-context.ts";
import { bindLabels } from "./bind-labels.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { anyType, booleanType, listOf, stringType } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** What the labels in a pattern ask of a node, or the types of a relationship: one condition each. */
export function labelConditions(
  subject: BoundExpression,
  labels: LabelExpression | undefined,
  place: ExpressionPlace,
): readonly BoundExpression[] {
  if (labels === undefined) {
    return [];
  }
  const bound = bindLabels(labels, place);
  const each = bound.kind === "And" ? bound.operands : [bound];
  return each.map((label) => ({ kind: "HasLabels", type: booleanType, subject, labels: label }));
}

/** What the map in a pattern asks: `{key: value}` is `subject.key = value`. */
export function propertyConditions(
  subject: BoundExpression,
  properties: MapLiteral | Parameter | undefined,
  place: ExpressionPlace,
): readonly BoundExpression[] {
  if (properties?.kind === "Parameter") {
    throw parameterMap(properties, "", place.context);
  }
  return (properties?.entries ?? []).map(({ key, value }) => ({
    kind: "Binary",
    type: booleanType,
    operator: "=",
    left: { kind: "Property", type: anyType, subject, key },
    right: bindExpression(value, place),
  }));
}

/** What a map asks whose keys are not known yet: `all(key IN keys({map}) WHERE subject[key] = {map}[key])`. */
export function mapCondition(subject: BoundExpression, map: Parameter, place: ExpressionPlace): BoundExpression {
  const variable = new Variable("  KEY", stringType, false);
  const index: BoundExpression = { kind: "VariableReference", type: stringType, variable };
  const keys = must(
    graphFunctions.find(({ name, modes }) => name === "keys" && modes.includes(place.context.mode)),
    "both modes have it",
  );
  const given = bindExpression(map, place);
  const valueIn = (whole: BoundExpression): BoundExpression => ({
    kind: "Subscript",
    type: anyType,
    subject: whole,
    index,
  });
  return {
    kind: "Quantified",
    type: booleanType,
    quantifier: "all",
    variable,
    list: { kind: "Call", type: listOf(stringType), function: keys, arguments: [given] },
    where: { kind: "Binary", type: booleanType, operator: "=", left: valueIn(subject), right: valueIn(given) },
  };
}

/** A parameter for the whole map cannot be searched for: its keys are not known when the statement is planned. */
export function parameterMap(parameter: Parameter, advice: string, context: BindContext): Error {
  return context.errors.syntax(
    `Parameter maps cannot be used in MATCH patterns${advice}`,
    parameter.position,
    "InvalidParameterUse",
  );
}

/** All of them, or nothing to hold. */
export function conjunction(conditions: readonly BoundExpression[]): BoundExpression | undefined {
  return conditions.reduce<BoundExpression | undefined>(
    (left, right) => (left === undefined ? right : { kind: "Binary", type: booleanType, operator: "AND", left, right }),
    undefined,
  );
}
