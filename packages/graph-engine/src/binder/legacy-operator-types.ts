import { type BinaryOperator } from "@trefoil/cypher";
import { alternativesOf, coerces, isOpen, isSubtype, overlaps, unionOf } from "./legacy-types.ts";
import {
  anyType,
  booleanType,
  floatType,
  integerType,
  joinAlternatives,
  listOf,
  sortTypeNames,
  type StaticType,
  stringType,
  typeNames,
} from "./static-type.ts";

/** What 2.3 expected of an operand, and which operand it was. */
export interface OperandMismatch {
  readonly operand: "left" | "right";
  readonly expected: string;
}

/** What an operator takes on its left and right, and what it gives. */
type Signature = readonly [left: StaticType, right: StaticType, result: StaticType];

const comparison: readonly Signature[] = [
  [floatType, floatType, booleanType],
  [integerType, integerType, booleanType],
  [stringType, stringType, booleanType],
];
const arithmetic: readonly Signature[] = [
  [integerType, integerType, integerType],
  [integerType, floatType, floatType],
  [floatType, floatType, floatType],
];
const text: readonly Signature[] = [[stringType, stringType, booleanType]];

const signatures: Partial<Readonly<Record<BinaryOperator, readonly Signature[]>>> = {
  "-": arithmetic,
  "*": arithmetic,
  "/": arithmetic,
  "%": arithmetic,
  "^": [[floatType, floatType, floatType]],
  "<": comparison,
  ">": comparison,
  "<=": comparison,
  ">=": comparison,
  "=~": text,
  "STARTS WITH": text,
  "ENDS WITH": text,
  CONTAINS: text,
};

/**
 * What 2.3 finds wrong with the operands' types at compile time, as the 2.3.12 server does: the left operand leaves
 * some of the operator's signatures over, which say what the right one may be. So `2.5 < 1` is good and `1 < 2.5` is not.
 */
export function findLegacyMismatch(
  operator: BinaryOperator,
  left: StaticType,
  right: StaticType,
): OperandMismatch | undefined {
  if (operator === "+") {
    return additionMismatch(left, right);
  }
  const all = signatures[operator];
  if (all === undefined) {
    return undefined;
  }
  const remaining = all.filter(([wanted]) => leaves(wanted, left, all));
  if (remaining.length === 0) {
    return { operand: "left", expected: expectation(all.map(([wanted]) => wanted)) };
  }
  const wanted = remaining.map(([, each]) => each);
  return wanted.some((each) => accepts(each, right)) ? undefined : { operand: "right", expected: expectation(wanted) };
}

/** The type of what an operator gives in 2.3: that of the signatures that fit. */
export function legacyResultType(operator: BinaryOperator, left: StaticType, right: StaticType): StaticType {
  if (operator === "+") {
    return additionType(left, right);
  }
  const all = signatures[operator] ?? [];
  const remaining = all.filter(([wanted]) => leaves(wanted, left, all));
  const direct = remaining.filter(([, wanted]) => accepts(wanted, right, isSubtype));
  const fitting = direct.length > 0 ? direct : remaining.filter(([, wanted]) => accepts(wanted, right, coerces));
  return unionOf(fitting.map(([, , result]) => result));
}

/** An INTEGER is taken for a FLOAT only where no signature wants an INTEGER. */
function leaves(wanted: StaticType, actual: StaticType, all: readonly Signature[]): boolean {
  if (isOpen(actual)) {
    return true;
  }
  const members = alternativesOf(actual);
  const isDirect = all.some(([each]) => members.some((member) => isSubtype(member, each)));
  return members.some((member) => (isDirect ? isSubtype(member, wanted) : coerces(member, wanted)));
}

function accepts(
  wanted: StaticType,
  actual: StaticType,
  fits: (member: StaticType, wanted: StaticType) => boolean = isOrBecomes,
): boolean {
  return isOpen(actual) || alternativesOf(actual).some((member) => fits(member, wanted));
}

function isOrBecomes(member: StaticType, wanted: StaticType): boolean {
  return isSubtype(member, wanted) || coerces(member, wanted);
}

function expectation(types: readonly StaticType[]): string {
  return joinAlternatives(sortTypeNames(types.flatMap((type) => typeNames(type, "Collection"))));
}

/** Numbers and strings take each other; lists take elements and lists, whatever else there is takes lists of its like. */
function additionMismatch(left: StaticType, right: StaticType): OperandMismatch | undefined {
  if (isOpen(left) || isOpen(right)) {
    return undefined;
  }
  const members = alternativesOf(left);
  const scalars = members.some(isTextOrNumber) ? [floatType, integerType, stringType] : [];
  const lists = members.flatMap((member) => (member.kind === "list" ? [member.element, member] : []));
  const wanted = [...scalars, ...lists, ...members.map(listOf)];
  const fits = alternativesOf(right).some((member) =>
    wanted.some((each) => overlaps(member, each) || coerces(member, each)),
  );
  return fits ? undefined : { operand: "right", expected: expectation(wanted) };
}

function additionType(left: StaticType, right: StaticType): StaticType {
  if (isOpen(left) && isOpen(right)) {
    return anyType;
  }
  if (isOpen(left)) {
    return additionType(right, left);
  }
  const others = isOpen(right) ? undefined : alternativesOf(right);
  return unionOf(alternativesOf(left).flatMap((each) => [...sumsOf(each, others), ...appended(each, others)]));
}

/** A list with something appended or joined, or a value before a list of its like; `others` are open without types. */
function appended(left: StaticType, others: readonly StaticType[] | undefined): readonly StaticType[] {
  const takes = (wanted: StaticType): boolean =>
    others === undefined || others.some((other) => overlaps(other, wanted));
  const before = takes(listOf(left)) ? [listOf(left)] : [];
  if (left.kind !== "list") {
    return before;
  }
  if (isOpen(left.element)) {
    return others?.map((other) => (other.kind === "list" ? other : listOf(other))) ?? [left];
  }
  return takes(left) || takes(left.element) ? [left, ...before] : before;
}

function sumsOf(left: StaticType, others: readonly StaticType[] | undefined): readonly StaticType[] {
  const results: StaticType[] = [];
  if (!isTextOrNumber(left)) {
    return results;
  }
  for (const right of (others ?? [floatType, integerType, stringType]).filter(isTextOrNumber)) {
    if (left.kind === "string" || right.kind === "string") {
      results.push(stringType);
    } else {
      results.push(left.kind === "integer" && right.kind === "integer" ? integerType : floatType);
    }
  }
  return results;
}

function isTextOrNumber({ kind }: StaticType): boolean {
  return kind === "integer" || kind === "float" || kind === "string";
}
