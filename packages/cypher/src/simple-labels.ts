import { type LabelExpression } from "./ast/patterns.ts";

/**
 * The names of a label expression that is one name or names joined by `:` or `&` (`:A:B`), in order;
 * `undefined` for anything richer. No expression is no label: an empty list.
 */
export function simpleLabels(labels: LabelExpression | undefined): readonly string[] | undefined {
  return namesJoinedBy("LabelAnd", labels);
}

/** The same for relationship types joined by `|` (`:A|B`, also the 2.x `:A|:B`); an empty list allows every type. */
export function simpleTypes(types: LabelExpression | undefined): readonly string[] | undefined {
  return namesJoinedBy("LabelOr", types);
}

function namesJoinedBy(
  joint: "LabelAnd" | "LabelOr",
  expression: LabelExpression | undefined,
): readonly string[] | undefined {
  if (expression === undefined) {
    return [];
  }
  if (expression.kind === "LabelName") {
    return [expression.name];
  }
  if (expression.kind !== joint) {
    return undefined;
  }
  const names: string[] = [];
  for (const operand of expression.operands) {
    if (operand.kind !== "LabelName") {
      return undefined;
    }
    names.push(operand.name);
  }
  return names;
}
