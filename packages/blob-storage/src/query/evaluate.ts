import { type BinaryOperator, type CastType, type Expression, type FunctionName } from "./query-expression.ts";
import { remembered } from "../request/remembered.ts";
import { DataError, type DataRecord, jsonText, type Value } from "./records.ts";
import { type WorkBudget } from "./work-budget.ts";

/** Works an expression out for a record. Null stands for what is unknown, as in SQL. */
export type Evaluate = (record: DataRecord) => Value;

/**
 * Turns an expression into nested functions, once for all records.
 *
 * @param aggregated  gives the values of aggregates; where there are none it is never asked
 * @param budget  what one record may cost
 */
export function compileExpression(
  expression: Expression,
  aggregated: (aggregate: Expression & { kind: "aggregate" }) => Evaluate,
  budget: WorkBudget,
): Evaluate {
  const compile = (inner: Expression): Evaluate => compileExpression(inner, aggregated, budget);
  switch (expression.kind) {
    case "literal":
      return () => budget.paid(expression.value);
    case "column":
      return (record) => budget.paid(record.find(expression.path));
    case "not": {
      const operand = compile(expression.operand);
      return (record) => opposite(truth(operand(record)));
    }
    case "negate": {
      const operand = compile(expression.operand);
      return (record) => arithmetic("-", 0, operand(record));
    }
    case "binary":
      return compileBinary(expression.operator, compile(expression.left), compile(expression.right), budget);
    case "isNull": {
      const operand = compile(expression.operand);
      return (record) => operand(record) === null;
    }
    case "in": {
      const operand = compile(expression.operand);
      const choices = expression.choices.map(compile);
      return (record) => either(choices.map((choice) => comparison("=", operand(record), choice(record))));
    }
    case "like": {
      const operand = compile(expression.operand);
      const pattern = compile(expression.pattern);
      // Nearly always the same for all records.
      const marksOf = remembered(1, (text) => readPattern(text, expression.escape));
      return (record) => {
        const [value, written] = [operand(record), pattern(record)];
        return value === null || written === null ? null : isLike(text(value), marksOf(text(written)), budget);
      };
    }
    case "cast": {
      const operand = compile(expression.operand);
      return (record) => cast(operand(record), expression.type);
    }
    case "call":
      return compileCall(expression.name, expression.parameters.map(compile));
    case "aggregate":
      return aggregated(expression);
  }
}

function compileBinary(operator: BinaryOperator, left: Evaluate, right: Evaluate, budget: WorkBudget): Evaluate {
  switch (operator) {
    case "AND":
      return (record) => {
        const first = truth(left(record));
        return first === false ? false : opposite(either([opposite(first), opposite(truth(right(record)))]));
      };
    case "OR":
      return (record) => {
        const first = truth(left(record));
        return first === true ? true : either([first, truth(right(record))]);
      };
    case "||":
      return (record) => budget.paid(joined(left(record), right(record)));
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return (record) => comparison(operator, left(record), right(record));
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return (record) => arithmetic(operator, left(record), right(record));
  }
}

/** Whether a condition holds; what is no truth value is unknown. */
function truth(value: Value): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function opposite(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

/** True when one is, unknown when none is but one may be. */
function either(values: readonly (boolean | null)[]): boolean | null {
  if (values.includes(true)) {
    return true;
  }
  return values.includes(null) ? null : false;
}

type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** Values of two kinds can be compared when one is a number and the other, a text, can be read as one. */
function comparison(operator: Comparison, left: Value, right: Value): boolean | null {
  const order = compareValues(left, right);
  if (order === null) {
    return null;
  }
  const held: Readonly<Record<Comparison, boolean>> = {
    "=": order === 0,
    "<>": order !== 0,
    "<": order < 0,
    "<=": order <= 0,
    ">": order > 0,
    ">=": order >= 0,
  };
  return held[operator];
}

/** @returns null for values that have no order among each other */
export function compareValues(left: Value, right: Value): number | null {
  if (typeof left === "string" && typeof right === "string") {
    return compareTexts(left, right);
  }
  if (typeof left === "boolean" && typeof right === "boolean") {
    return Number(left) - Number(right);
  }
  if (typeof left !== "number" && typeof right !== "number") {
    return null;
  }
  const [first, second] = [asNumber(left), asNumber(right)];
  return first === null || second === null ? null : Math.sign(first - second);
}

/** In the order of code points, which is that of UTF-8. */
function compareTexts(left: string, right: string): number {
  if (left === right) {
    return 0;
  }
  let at = 0;
  while (at < left.length && left[at] === right[at]) {
    at += 1;
  }
  const [first, second] = [left.codePointAt(at) ?? -1, right.codePointAt(at) ?? -1];
  return first < second ? -1 : 1;
}

/** A number, or what a text says in digits. */
export function asNumber(value: Value): number | null {
  if (typeof value === "number") {
    return value;
  }
  const isNumeric = typeof value === "string" && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/u.test(value);
  return isNumeric ? Number(value) : null;
}

function arithmetic(operator: "+" | "-" | "*" | "/" | "%", left: Value, right: Value): number | null {
  const [first, second] = [asNumber(left), asNumber(right)];
  if (first === null || second === null || (second === 0 && (operator === "/" || operator === "%"))) {
    return null;
  }
  const result = {
    "+": first + second,
    "-": first - second,
    "*": first * second,
    "/": first / second,
    "%": first % second,
  };
  return result[operator];
}

function joined(left: Value, right: Value): string | null {
  return left === null || right === null ? null : text(left) + text(right);
}

function text(value: Value): string {
  return typeof value === "object" ? jsonText(value) : String(value);
}

/** Whether a text fits a pattern; each step is paid for. */
function isLike(subject: string, marks: readonly Mark[], budget: WorkBudget): boolean {
  let at = 0;
  let mark = 0;
  let star = -1;
  let retry = 0;
  while (at < subject.length) {
    budget.spend(1);
    const wanted = marks[mark];
    const next = at + ((subject.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
    if (wanted === "any text") {
      star = mark;
      retry = at;
      mark += 1;
    } else if (wanted === "any character" || (wanted !== undefined && subject.startsWith(wanted.is, at))) {
      at = next;
      mark += 1;
    } else if (star >= 0) {
      retry += 1;
      at = retry;
      mark = star + 1;
    } else {
      return false;
    }
  }
  return marks.slice(mark).every((left) => left === "any text");
}

/** `%` stands for any text, `_` for any character. */
type Mark = "any text" | "any character" | { readonly is: string };

function readPattern(pattern: string, escape: string): readonly Mark[] {
  const marks: Mark[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (!isEscaped && character === escape) {
      isEscaped = true;
      continue;
    }
    const special = character === "%" ? "any text" : character === "_" ? "any character" : undefined;
    marks.push(isEscaped || special === undefined ? { is: character } : special);
    isEscaped = false;
  }
  return marks;
}

/** @throws DataError of a record whose value has another type: it is left out of the answer */
function cast(value: Value, type: CastType): Value {
  if (value === null) {
    return null;
  }
  const number = typeof value === "boolean" ? Number(value) : asNumber(value);
  switch (type) {
    case "STRING":
      return text(value);
    case "INT":
      return number === null ? invalidCast(value, type) : Math.trunc(number);
    case "FLOAT":
      return number ?? invalidCast(value, type);
    case "BOOL":
      return castToBoolean(value);
  }
}

function castToBoolean(value: Value): boolean {
  const word = text(value).trim().toLowerCase();
  if (word === "true" || word === "1") {
    return true;
  }
  return word === "false" || word === "0" ? false : invalidCast(value, "BOOL");
}

function invalidCast(value: Value, type: CastType): never {
  throw new DataError("InvalidTypeConversion", `${JSON.stringify(text(value).slice(0, 100))} is no ${type}`);
}

function compileCall(name: FunctionName, parameters: readonly Evaluate[]): Evaluate {
  if (name === "COALESCE") {
    return (record) => parameters.map((parameter) => parameter(record)).find((value) => value !== null) ?? null;
  }
  return (record) => {
    const [first = null, second = null, third = null] = parameters.map((parameter) => parameter(record));
    if (first === null) {
      return null;
    }
    switch (name) {
      case "LOWER":
        return text(first).toLowerCase();
      case "UPPER":
        return text(first).toUpperCase();
      case "TRIM":
        return text(first).trim();
      case "CHAR_LENGTH":
        return Array.from(text(first)).length;
      case "NULLIF":
        return comparison("=", first, second) === true ? null : first;
      case "SUBSTRING":
        return substring(text(first), asNumber(second), parameters.length > 2 ? asNumber(third) : Infinity);
    }
  };
}

/** The first character has the number 1; what lies before it counts, too. */
function substring(subject: string, start: number | null, length: number | null): string | null {
  if (start === null || length === null) {
    return null;
  }
  const end = start - 1 + Math.max(length, 0);
  return Array.from(subject)
    .slice(Math.max(start - 1, 0), Math.max(end, 0))
    .join("");
}
