import { type BinaryOperator } from "@trefoil/cypher";
import { listOf, mayBe, type ScalarTypeKind, type StaticType, typeName } from "./static-type.ts";

/** What 2.3 expected of an operand, and which operand it was. */
export interface OperandMismatch {
  readonly operand: "left" | "right";
  readonly expected: string;
}

/**
 * What 2.3 finds wrong with the operands' types at compile time (golden "expressions"). It knows less than one would
 * think: beside an INTEGER or a string the right side of a comparison is not looked at.
 */
export function findLegacyMismatch(
  operator: BinaryOperator,
  left: StaticType,
  right: StaticType,
): OperandMismatch | undefined {
  switch (operator) {
    case "+":
      return additionMismatch(left, right);
    case "-":
    case "*":
    case "/":
    case "%":
      return arithmeticMismatch(left, right);
    case "<":
    case ">":
    case "<=":
    case ">=":
      return comparisonMismatch(left, right);
    case "=~":
      return mayBe(left, "string") ? undefined : { operand: "left", expected: "String" };
    case "STARTS WITH":
    case "ENDS WITH":
    case "CONTAINS":
      if (!mayBe(left, "string")) {
        return { operand: "left", expected: "String" };
      }
      return mayBe(right, "string") ? undefined : { operand: "right", expected: "String" };
    default:
      return undefined;
  }
}

const numbers: readonly ScalarTypeKind[] = ["integer", "float", "number"];

function arithmeticMismatch(left: StaticType, right: StaticType): OperandMismatch | undefined {
  if (!mayBe(left, ...numbers)) {
    return { operand: "left", expected: "Float or Integer" };
  }
  if (!mayBe(right, ...numbers)) {
    return { operand: "right", expected: left.kind === "float" ? "Float" : "Float or Integer" };
  }
  return undefined;
}

function comparisonMismatch(left: StaticType, right: StaticType): OperandMismatch | undefined {
  if (!mayBe(left, ...numbers, "string")) {
    return { operand: "left", expected: "Float, Integer or String" };
  }
  if (left.kind === "float") {
    return mayBe(right, ...numbers) ? undefined : { operand: "right", expected: "Float" };
  }
  if (left.kind === "null" && !mayBe(right, ...numbers, "string")) {
    return { operand: "right", expected: "Float, Integer or String" };
  }
  return undefined;
}

/** The left side decides: numbers and strings take each other, lists take elements and lists, the rest takes lists. */
function additionMismatch(left: StaticType, right: StaticType): OperandMismatch | undefined {
  if (left.kind === "any" || left.kind === "null" || right.kind === "any" || right.kind === "null") {
    return undefined;
  }
  const list = (type: StaticType): string => typeName(listOf(type), "Collection");
  if (left.kind === "list") {
    const { element } = left;
    const fits =
      element.kind === "any" ||
      element.kind === "mixed" ||
      right.kind === "list" ||
      mayBe(right, ...scalarKind(element));
    return fits
      ? undefined
      : { operand: "right", expected: `${typeName(element, "Collection")}, ${list(element)} or ${list(left)}` };
  }
  if (right.kind === "list") {
    return undefined;
  }
  if (mayBe(left, ...numbers, "string")) {
    return mayBe(right, ...numbers, "string")
      ? undefined
      : { operand: "right", expected: `Float, Integer, String or ${list(left)}` };
  }
  return { operand: "right", expected: list(left) };
}

function scalarKind(type: StaticType): readonly ScalarTypeKind[] {
  return type.kind === "any" || type.kind === "mixed" || type.kind === "null" || type.kind === "list"
    ? []
    : [type.kind];
}
