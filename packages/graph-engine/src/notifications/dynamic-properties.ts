import { type Expression, type Match, type NodePattern, simpleLabels } from "@trefoil/cypher";
import { type KnownNames } from "./known-names.ts";

/**
 * Labels with an index that a MATCH cannot use because a condition of its WHERE names the property by an expression:
 * `MATCH (n:Label) WHERE n[{key}] = 1`.
 */
export function labelsOfDynamicProperties({ pattern, where }: Match, names: KnownNames): readonly string[] {
  const conditions = where === undefined ? [] : conjuncts(where);
  const dynamic = new Set(conditions.flatMap(dynamicSubject));
  if (dynamic.size === 0) {
    return [];
  }
  const ofNodes = pattern
    .flatMap(({ path }) => path.elements)
    .filter((element): element is NodePattern => element.kind === "NodePattern")
    .filter(({ variable }) => variable !== undefined && dynamic.has(variable.name))
    .flatMap(({ labels }) => simpleLabels(labels) ?? []);
  const ofConditions = conditions.flatMap((condition) =>
    condition.kind === "LabelPredicate" && condition.operand.kind === "Variable" && dynamic.has(condition.operand.name)
      ? (simpleLabels(condition.labels) ?? [])
      : [],
  );
  return [...new Set([...ofNodes, ...ofConditions])].filter((label) => names.hasAnyIndex(label));
}

function conjuncts(expression: Expression): readonly Expression[] {
  return expression.kind === "Binary" && expression.operator === "AND"
    ? [...conjuncts(expression.left), ...conjuncts(expression.right)]
    : [expression];
}

const comparisons: ReadonlySet<string> = new Set(["=", "IN", "STARTS WITH", "<", "<=", ">", ">="]);

/** The variable whose property a condition compares, or asks for, under a name that is not written out. */
function dynamicSubject(condition: Expression): readonly string[] {
  if (condition.kind === "FunctionCall" && /^(has|exists)$/iu.test(condition.name)) {
    return condition.arguments.flatMap(subjectOf);
  }
  if (condition.kind !== "Binary" || !comparisons.has(condition.operator)) {
    return [];
  }
  const [left, right] = [subjectOf(condition.left), subjectOf(condition.right)];
  return left.length > 0 && right.length > 0 ? [] : [...left, ...right];
}

/** A name that is put together from literals is known all the same. */
function subjectOf(expression: Expression): readonly string[] {
  return expression.kind === "Subscript" &&
    expression.subject.kind === "Variable" &&
    expression.index.kind === "Parameter"
    ? [expression.subject.name]
    : [];
}
