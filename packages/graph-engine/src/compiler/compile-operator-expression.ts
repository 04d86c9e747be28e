import { type BoundBinary, type BoundExpression } from "../binder/bound-expression.ts";
import { type LibraryName } from "./library-name.ts";
import { type Generator } from "./generator.ts";

interface OperatorCode {
  readonly function: LibraryName;
  /** What the function wants behind its operands. */
  readonly more: readonly string[];
}

const arithmetic = (name: LibraryName): OperatorCode => ({ function: name, more: ["mode"] });
const comparing = (name: LibraryName): OperatorCode => ({ function: name, more: ["mode", "context"] });
const textual = (name: LibraryName): OperatorCode => ({ function: name, more: ["context"] });

const operators: Readonly<Record<BoundBinary["operator"], OperatorCode>> = {
  AND: arithmetic("and"),
  OR: arithmetic("or"),
  XOR: arithmetic("xor"),
  "=": comparing("equals"),
  "<>": comparing("notEquals"),
  "<": comparing("lessThan"),
  ">": comparing("greaterThan"),
  "<=": comparing("lessThanOrEqual"),
  ">=": comparing("greaterThanOrEqual"),
  "+": arithmetic("add"),
  "-": arithmetic("subtract"),
  "||": { function: "concatenate", more: [] },
  "*": arithmetic("multiply"),
  "/": arithmetic("divide"),
  "%": arithmetic("modulo"),
  "^": arithmetic("power"),
  "=~": textual("matchesPattern"),
  IN: comparing("isIn"),
  "STARTS WITH": textual("startsWith"),
  "ENDS WITH": textual("endsWith"),
  CONTAINS: textual("contains"),
};

export function compileUnary(expression: BoundExpression & { kind: "Unary" }, generator: Generator): string {
  const operand = generator.expression(expression.operand);
  switch (expression.operator) {
    case "NOT":
      return generator.call("not", operand, "mode");
    case "-":
      return generator.call("negate", operand, "mode");
    case "+":
      return generator.call("unaryPlus", operand, "mode");
  }
}

export function compileBinary(expression: BoundBinary, generator: Generator): string {
  const { operator, left, right } = expression;
  const identity = compileIdentity(expression, generator);
  if (identity !== undefined) {
    return identity;
  }
  if (operator === "AND" || operator === "OR") {
    return compileLazily(expression, generator);
  }
  const code = operators[operator];
  return generator.call(code.function, generator.expression(left), generator.expression(right), ...code.more);
}

/** Two nodes, or two relationships, are equal when their ids are. */
function compileIdentity(expression: BoundBinary, generator: Generator): string | undefined {
  const { operator, left, right } = expression;
  if (
    (operator !== "=" && operator !== "<>") ||
    left.kind !== "VariableReference" ||
    right.kind !== "VariableReference"
  ) {
    return undefined;
  }
  if (!left.variable.isEntity || left.variable.type.kind !== right.variable.type.kind) {
    return undefined;
  }
  const [a, b] = [generator.local(left.variable), generator.local(right.variable)];
  const test = `${a} ${operator === "=" ? "===" : "!=="} ${b}`;
  return left.variable.nullable || right.variable.nullable ? `(${a} < 0 || ${b} < 0 ? null : ${test})` : `(${test})`;
}

/** The right side of AND and OR is only looked at when it matters, if it takes statements to compute. */
function compileLazily(expression: BoundBinary, generator: Generator): string {
  const name = expression.operator === "AND" ? "and" : "or";
  const left = generator.expression(expression.left);
  const right = generator.aside(() => generator.expression(expression.right));
  if (right.statements.isEmpty) {
    return generator.call(name, left, right.result, "mode");
  }
  const result = generator.names.unique(name);
  generator.out.line(`let ${result} = ${left};`);
  generator.out.block(`if (${result} !== ${name === "and" ? "false" : "true"})`, () => {
    generator.out.append(right.statements);
    generator.out.line(`${result} = ${generator.call(name, result, right.result, "mode")};`);
  });
  return result;
}
