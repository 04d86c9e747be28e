import { type Expression, type FloatLiteral, type IntegerLiteral, type StringLiteral } from "../ast/expressions.ts";
import { type Position } from "../errors.ts";
import { type Cursor } from "./cursor.ts";

const LARGEST_INTEGER = 2n ** 63n - 1n;

/**
 * The integer at the cursor: decimal, `0x1F`, `0o17`, and in 2.3 mode `017` for fifteen.
 *
 * @param negativeAt  where a minus sign stands directly before it: then the smallest 64-bit integer fits, too, and the
 *                    literal is the negative number at that place
 * @param faultAt  the place that errors name
 * @throws QueryError IntegerOverflow beyond 64 bits; InvalidNumberLiteral for `017` in modern mode (decisions/0041)
 */
export function integerLiteral(
  cursor: Cursor,
  negativeAt?: Position,
  faultAt: Position = cursor.position(),
): IntegerLiteral {
  if (cursor.kind !== "integer") {
    cursor.expected("an integer");
    cursor.fail();
  }
  const position = cursor.position();
  const magnitude = integerValue(cursor, cursor.tokenText.replaceAll("_", ""), faultAt);
  if (magnitude > LARGEST_INTEGER + (negativeAt === undefined ? 0n : 1n)) {
    throw cursor.error("integer is too large", faultAt, "IntegerOverflow");
  }
  cursor.advance();
  const value = negativeAt === undefined ? magnitude : -magnitude;
  return { kind: "IntegerLiteral", position: negativeAt ?? position, value: exactInteger(value) };
}

function integerValue(cursor: Cursor, digits: string, position: Position): bigint {
  const isOldOctal = digits.length > 1 && digits.startsWith("0") && /^\d+$/.test(digits);
  if (!isOldOctal) {
    return BigInt(digits.toLowerCase());
  }
  if (cursor.isModern) {
    const message = "invalid literal number: write octal integers as 0o17, decimal ones without leading zeros";
    throw cursor.error(message, position, "InvalidNumberLiteral");
  }
  if (/[89]/.test(digits)) {
    throw cursor.error("invalid literal number", position, "InvalidNumberLiteral");
  }
  return BigInt(`0o${digits}`);
}

/** `number` when it is a safe integer, else `bigint` (docs/decisions/0001). */
function exactInteger(value: bigint): number | bigint {
  const narrowed = Number(value);
  return Number.isSafeInteger(narrowed) ? narrowed : value;
}

/** Would the integer at the cursor fit into 64 bits only with a minus sign? */
export function isMagnitudeOfSmallest(cursor: Cursor): boolean {
  const text = cursor.tokenText.replaceAll("_", "").toLowerCase();
  return text.length >= 18 && /^(0x|0o|[1-9])/.test(text) && BigInt(text) === LARGEST_INTEGER + 1n;
}

/**
 * @param faultAt  the place that errors name
 * @throws QueryError FloatingPointOverflow beyond the largest double
 */
export function floatLiteral(cursor: Cursor, faultAt?: Position): FloatLiteral {
  const position = cursor.position();
  const value = Number(cursor.tokenText.replaceAll("_", ""));
  if (!Number.isFinite(value)) {
    throw cursor.error("floating point number is too large", faultAt ?? position, "FloatingPointOverflow");
  }
  cursor.advance();
  return { kind: "FloatLiteral", position, value };
}

/** In 2.3 the sign right before a number is part of it: `-1 IS NULL` asks about -1, and errors name its place. */
export function signedNumber(cursor: Cursor, sign: Position): Expression {
  if (cursor.isBadNumber()) {
    cursor.failAsOperand(sign);
  }
  const operand = cursor.kind === "float" ? floatLiteral(cursor, sign) : integerLiteral(cursor, undefined, sign);
  return { kind: "Unary", position: sign, operator: "-", operand };
}

const ESCAPES: Readonly<Record<string, string>> = {
  t: "\t",
  b: "\b",
  n: "\n",
  r: "\r",
  f: "\f",
  "'": "'",
  '"': '"',
  "\\": "\\",
};

/** @throws QueryError InvalidUnicodeLiteral for a `\u` or `\U` without its four or eight digits */
export function stringLiteral(cursor: Cursor): StringLiteral {
  if (cursor.kind !== "string") {
    cursor.expected("a string");
    cursor.fail();
  }
  const position = cursor.position();
  const value = unescapeString(cursor, cursor.tokenText.slice(1, -1), cursor.offset + 1);
  cursor.advance();
  return { kind: "StringLiteral", position, value };
}

function unescapeString(cursor: Cursor, raw: string, offset: number): string {
  let escape = raw.indexOf("\\");
  if (escape < 0) {
    return raw;
  }
  let value = "";
  let copied = 0;
  while (escape >= 0) {
    value += raw.slice(copied, escape);
    const mark = raw.charAt(escape + 1);
    const digits = mark === "u" ? 4 : mark === "U" ? 8 : 0;
    const replacement =
      digits === 0 ? ESCAPES[mark] : unicodeCharacter(raw.slice(escape + 2, escape + 2 + digits), digits);
    if (replacement === undefined) {
      const place = cursor.positionAt(offset + escape);
      const message = `Invalid escape sequence '\\${mark}' in a string`;
      throw cursor.error(message, place, digits === 0 ? "UnexpectedSyntax" : "InvalidUnicodeLiteral");
    }
    value += replacement;
    copied = escape + 2 + digits;
    escape = raw.indexOf("\\", copied);
  }
  return value + raw.slice(copied);
}

function unicodeCharacter(hexadecimal: string, digits: number): string | undefined {
  if (hexadecimal.length !== digits || !/^[0-9a-f]+$/i.test(hexadecimal)) {
    return undefined;
  }
  const point = Number.parseInt(hexadecimal, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}
