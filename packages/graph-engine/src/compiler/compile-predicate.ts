import { type BoundBinary, type BoundExpression } from "../binder/bound-expression.ts";
import { columnRead } from "./base-reads.ts";
import { type Generator } from "./generator.ts";

/**
 * JavaScript of a boolean that says whether the expression is true. Truth alone is simpler than three-valued logic:
 * AND and OR become `&&` and `||`, and comparisons of plain numbers need no call.
 */
export function compilePredicate(expression: BoundExpression, generator: Generator): string {
  switch (expression.kind) {
    case "Binary":
      return compileBinaryPredicate(expression, generator);
    case "IsNull":
    case "DistinctRelationships":
      return generator.expression(expression);
    case "Subquery":
      return generator.expression(expression);
    case "HasLabels": {
      const { subject } = expression;
      const isThere = subject.kind === "VariableReference" && subject.variable.isEntity && !subject.variable.nullable;
      const code = generator.expression(expression);
      return isThere ? code : `${code} === true`;
    }
    case "Quantified":
      return `${generator.expression(expression)} === true`;
    case "Unary":
      return compileNegation(expression, generator);
    case "Literal":
      return String(expression.value === true);
    default:
      return `${generator.call("truthOf", generator.expression(expression), "mode")} === true`;
  }
}

/** `NOT x` holds when x is false, neither true nor null. */
function compileNegation(expression: BoundExpression & { kind: "Unary" }, generator: Generator): string {
  const { operand, operator } = expression;
  if (operator !== "NOT" || operand.type.kind !== "boolean") {
    return `${generator.call("truthOf", generator.expression(expression), "mode")} === true`;
  }
  const code = generator.expression(operand);
  return operand.kind === "Subquery" ? `!${code}` : `${code} === false`;
}

function compileBinaryPredicate(expression: BoundBinary, generator: Generator): string {
  const { operator, left, right } = expression;
  if (operator === "AND" || operator === "OR") {
    // Only where both sides are sure to be booleans: a wrong type must be found out on either side.
    const safe = left.type.kind === "boolean" && right.type.kind === "boolean";
    return safe ? compileShortCircuit(expression, generator) : `${generator.expression(expression)} === true`;
  }
  const fast = compileColumnComparison(expression, generator);
  return fast ?? `${generator.expression(expression)} === true`;
}

/** The right side is only looked at when it matters. */
function compileShortCircuit({ operator, left, right }: BoundBinary, generator: Generator): string {
  const isAnd = operator === "AND";
  const leftCode = generator.predicate(left);
  const rightCode = generator.aside(() => generator.predicate(right));
  if (rightCode.statements.isEmpty) {
    return `(${leftCode} ${isAnd ? "&&" : "||"} ${rightCode.result})`;
  }
  const result = generator.names.unique(isAnd ? "both" : "either");
  generator.out.line(`let ${result} = ${leftCode};`);
  generator.out.block(`if (${isAnd ? "" : "!"}${result})`, () => {
    generator.out.append(rightCode.statements);
    generator.out.line(`${result} = ${rightCode.result};`);
  });
  return result;
}

const javaScriptOperators: Readonly<Record<string, string>> = {
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  "=": "===",
};

/**
 * `n.age > 30`: numbers, and the codes of texts, are compared where they lie; where the column is of another kind, or
 * the view is not clean, by the language's rules.
 */
function compileColumnComparison(expression: BoundBinary, generator: Generator): string | undefined {
  const { operator, left, right } = expression;
  const operatorCode = javaScriptOperators[operator];
  const read = columnRead(left, generator);
  const operand = operandBesideColumn(right, generator);
  if (operatorCode === undefined || read === undefined || operand === undefined) {
    return compileNumberComparison(expression, generator);
  }
  const { reader, id, nullable } = read;
  const key = `${reader} ${operand.code}`;
  if (operator === "=") {
    const matcher = generator.once(`matcher ${key}`, `${reader}_is`, () => `${reader}.matcher(${operand.code})`);
    return nullable ? `(${id} >= 0 && ${matcher}.test(${id}))` : `${matcher}.test(${id})`;
  }
  const general = `${generalComparison(operator, generator.expression(left), operand.code, generator)} === true`;
  if (operand.kind === "text") {
    return general;
  }
  const numbers =
    operand.kind === "number"
      ? generator.once(`numbers ${reader}`, `${reader}_numbers`, () => `${reader}.numbers`)
      : generator.once(`numbers ${key}`, `${reader}_numbers`, () => `${reader}.numbersBeside(${operand.code})`);
  const number = `${numbers}[${id}]`;
  // "No value" in a column of 32-bit integers compares like a number.
  const comparison = `${number} ${operatorCode} ${operand.code} && ${number} !== ${reader}.none`;
  return `(${numbers} !== undefined ? ${comparison} : ${general})`;
}

interface ColumnOperand {
  readonly code: string;
  readonly kind: "number" | "text" | "parameter";
}

/** What is known before the first row. 2.3 compares by rules of its own, and looks for parameters late. */
function operandBesideColumn(operand: BoundExpression, generator: Generator): ColumnOperand | undefined {
  if (generator.mode !== "modern") {
    return undefined;
  }
  if (operand.kind === "Parameter") {
    return { code: generator.parameter(operand.name), kind: "parameter" };
  }
  if (operand.kind !== "Literal") {
    return undefined;
  }
  const isNumber = typeof operand.value === "number" && Number.isFinite(operand.value);
  if (!isNumber && typeof operand.value !== "string") {
    return undefined;
  }
  return { code: generator.expression(operand), kind: isNumber ? "number" : "text" };
}

/** The same in a statement that writes: a plain number is compared at once, anything else by the language's rules. */
function compileNumberComparison(expression: BoundBinary, generator: Generator): string | undefined {
  const { operator, left, right } = expression;
  const operatorCode = javaScriptOperators[operator];
  const literal = right.kind === "Literal" && typeof right.value === "number" && Number.isFinite(right.value);
  if (operatorCode === undefined || !literal || left.kind !== "Property" || generator.mode !== "modern") {
    return undefined;
  }
  const value = generator.keep(generator.expression(left), "value");
  const number = generator.expression(right);
  const general = generalComparison(operator, value, number, generator);
  return `(typeof ${value} === "number" ? ${value} ${operatorCode} ${number} : ${general} === true)`;
}

function generalComparison(operator: string, left: string, right: string, generator: Generator): string {
  switch (operator) {
    case "<":
      return generator.call("lessThan", left, right, "mode", "context");
    case "<=":
      return generator.call("lessThanOrEqual", left, right, "mode", "context");
    case ">":
      return generator.call("greaterThan", left, right, "mode", "context");
    case ">=":
      return generator.call("greaterThanOrEqual", left, right, "mode", "context");
    default:
      return generator.call("equals", left, right, "mode", "context");
  }
}
