import { ManagementError } from "../../protocol/management-error.ts";
import { type Comparison, type Filter, type Literal, type Path, type TextFunction } from "./filter.ts";

type Variables = Readonly<Record<string, unknown>>;

/**
 * Whether an entity, as its JSON shows it, meets a filter. Texts are compared without regard to case, as directories
 * do.
 *
 * @throws ManagementError for a property that the entity doesn't have, and for a value of another type than it
 */
export function matches(filter: Filter, entity: object): boolean {
  return holds(filter, entity, {});
}

/**
 * Judges every part of a filter against one entity, also those that the others decide without.
 *
 * @throws ManagementError as {@link matches} does
 */
export function checkFilter(filter: Filter, entity: object): void {
  switch (filter.kind) {
    case "and":
    case "or":
      checkFilter(filter.left, entity);
      checkFilter(filter.right, entity);
      break;
    case "not":
      checkFilter(filter.operand, entity);
      break;
    default:
      matches(filter, entity);
  }
}

function holds(filter: Filter, entity: object, variables: Variables): boolean {
  switch (filter.kind) {
    case "and":
      return holds(filter.left, entity, variables) && holds(filter.right, entity, variables);
    case "or":
      return holds(filter.left, entity, variables) || holds(filter.right, entity, variables);
    case "not":
      return !holds(filter.operand, entity, variables);
    case "comparison":
      return compare(filter.operator, filter.path, valueAt(filter.path, entity, variables), filter.value);
    case "in": {
      const value = valueAt(filter.path, entity, variables);
      return filter.values.map((each) => compare("eq", filter.path, value, each)).includes(true);
    }
    case "function": {
      const value = valueAt(filter.path, entity, variables);
      return isOfType(filter.path, value, "string") && texts[filter.name](fold(value), fold(filter.text));
    }
    case "any": {
      const { condition, variable } = filter;
      const values = valueAt(filter.path, entity, variables) ?? [];
      if (!Array.isArray(values)) {
        throw new ManagementError("Request_UnsupportedQuery", `'${shown(filter.path)}' is no collection`);
      }
      return values.some(
        (value: unknown) => condition === undefined || holds(condition, entity, { ...variables, [variable]: value }),
      );
    }
  }
}

/**
 * The value that a filter asks for by equality in every case, so that it can be looked up instead of searched for.
 * `a eq 1 and (…)` asks for it, `a eq 1 or b eq 2` doesn't.
 */
export function requiredValue(filter: Filter | undefined, property: string): string | undefined {
  if (filter?.kind === "and") {
    return requiredValue(filter.left, property) ?? requiredValue(filter.right, property);
  }
  return filter?.kind === "comparison" &&
    filter.operator === "eq" &&
    filter.path.length === 1 &&
    filter.path[0] === property &&
    typeof filter.value === "string"
    ? filter.value
    : undefined;
}

const texts: Readonly<Record<TextFunction, (value: string, part: string) => boolean>> = {
  startswith: (value, part) => value.startsWith(part),
  endswith: (value, part) => value.endsWith(part),
  contains: (value, part) => value.includes(part),
};

const orders: Readonly<Record<Comparison, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

/** What is absent equals null and is in no order to anything. */
function compare(operator: Comparison, path: Path, value: unknown, literal: Literal): boolean {
  const known = value ?? null;
  if (literal !== null && path.at(-1)?.endsWith("DateTime") === true && !isTime(literal)) {
    throw incomparable(path, "a time");
  }
  if (literal === null || !isOfType(path, known, typeof literal)) {
    return operator === "eq" ? known === literal : operator === "ne" && known !== literal;
  }
  return orders[operator](orderOf(known, literal));
}

interface Types {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}

/** False for what is absent. @throws ManagementError for a value of another type */
function isOfType<Type extends string>(
  path: Path,
  value: unknown,
  type: Type,
): value is Type extends keyof Types ? Types[Type] : never {
  if (value === null || value === undefined) {
    return false;
  }
  if (typeof value !== type) {
    throw incomparable(path, `a ${typeof value}`);
  }
  return true;
}

function incomparable(path: Path, kind: string): ManagementError {
  return new ManagementError("Request_UnsupportedQuery", `'${shown(path)}' is ${kind} and compares with nothing else`);
}

function shown(path: Path): string {
  return path.join("/").slice(0, SHOWN_LIMIT);
}

const SHOWN_LIMIT = 100;

function isTime(literal: Literal): boolean {
  return typeof literal === "string" && !Number.isNaN(Date.parse(literal));
}

function orderOf(value: unknown, literal: Literal): number {
  if (typeof value === "string" && typeof literal === "string") {
    const [left, right] = [comparable(value), comparable(literal)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return Number(value) - Number(literal);
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T/i;

/** Times are written in several ways that mean the same. */
function comparable(text: string): string {
  const ms = DATE_TIME.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? fold(text) : new Date(ms).toISOString();
}

function fold(text: string): string {
  return text.toLowerCase();
}

/** @throws ManagementError when there is no such property, so that a misspelt one doesn't pass for no match */
function valueAt(path: Path, entity: object, variables: Variables): unknown {
  const [first = "", ...rest] = path;
  let value: unknown = Object.hasOwn(variables, first) ? variables[first] : memberOf(entity, first);
  for (const name of rest) {
    if (value === null || value === undefined) {
      return null;
    }
    value = memberOf(value, name);
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value === "object" && value !== null && Object.hasOwn(value, name)) {
    return (value as Readonly<Record<string, unknown>>)[name];
  }
  throw new ManagementError(
    "Request_UnsupportedQuery",
    `There is no property '${name.slice(0, SHOWN_LIMIT)}' to filter by`,
  );
}
