import { orderKeyOf, type ValueRange } from "../indexes/order-key.ts";
import { hasToken } from "../indexes/indexed-values.ts";
import { valuesEqual } from "../indexes/value-key.ts";
import { type IdCursor, type ReadView } from "../read-view.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { valueText } from "./graph-dump.ts";
import { type PropertyValue } from "../values/property-value.ts";

/** What to ask a view, by ids of tokens. */
export interface IndexQuestions {
  readonly tokens: readonly number[];
  readonly keys: readonly number[];
  readonly values: readonly PropertyValue[];
}

/** Asks a view everything that indexes answer, and looks at every entity to see whether the answers are right. */
export function checkIndexAnswers(view: ReadView, questions: IndexQuestions): void {
  for (const entity of ["node", "relationship"] as const) {
    for (const token of questions.tokens) {
      const all = idsOf(entity === "node" ? view.allNodes() : view.allRelationships()).filter((id) =>
        hasToken(view, entity, token, id),
      );
      for (const key of questions.keys) {
        checkKey(view, entity, token, key, all, questions.values);
      }
      checkPair(view, entity, token, questions, all);
    }
  }
}

function checkKey(
  view: ReadView,
  entity: EntityKind,
  token: number,
  key: number,
  all: readonly number[],
  values: readonly PropertyValue[],
): void {
  const read = reader(view, entity);
  const having = all.filter((id) => read(id, key) !== undefined);
  equal(idsOf(view.entitiesWithProperties(entity, token, [key])), having, `${entity}s with property ${key}`);
  for (const value of values) {
    const expected = having.filter((id) => valuesEqual(read(id, key) as PropertyValue, value));
    equal(
      idsOf(view.entitiesWithValues(entity, token, [key], [value])),
      expected,
      `${entity}s with ${valueText(value)}`,
    );
    const place = orderKeyOf(value);
    if (place !== undefined) {
      const range: ValueRange = { kind: "between", low: value, high: undefined };
      const inRange = having.filter((id) => {
        const other = orderKeyOf(read(id, key) as PropertyValue);
        return other?.family === place.family && other.key >= place.key;
      });
      includes(idsOf(view.entitiesInRange(entity, token, key, range, false)), inRange, having, "range");
      const strict = idsOf(view.entitiesInRange(entity, token, key, range, true));
      const others = having.filter((id) => orderKeyOf(read(id, key) as PropertyValue)?.family !== place.family);
      includes(strict, [...inRange, ...others], having, "range and what does not compare");
    }
    if (typeof value === "string") {
      const prefixed = having.filter((id) => isTextWith(read(id, key), value));
      const found = idsOf(view.entitiesInRange(entity, token, key, { kind: "prefix", prefix: value }, false));
      includes(found, prefixed, having, "prefix");
    }
  }
}

function isTextWith(value: PropertyValue | undefined, prefix: string): boolean {
  return typeof value === "string" && value.startsWith(prefix);
}

function checkPair(
  view: ReadView,
  entity: EntityKind,
  token: number,
  { keys, values }: IndexQuestions,
  all: readonly number[],
): void {
  const read = reader(view, entity);
  const [first, second] = keys as [number, number];
  const both = all.filter((id) => read(id, first) !== undefined && read(id, second) !== undefined);
  equal(idsOf(view.entitiesWithProperties(entity, token, [second, first])), both, "both properties");
  for (const left of values) {
    for (const right of values.slice(0, 3)) {
      const expected = both.filter(
        (id) => valuesEqual(read(id, first) as never, left) && valuesEqual(read(id, second) as never, right),
      );
      equal(idsOf(view.entitiesWithValues(entity, token, [first, second], [left, right])), expected, "both values");
      equal(idsOf(view.entitiesWithValues(entity, token, [second, first], [right, left])), expected, "both, turned");
    }
  }
}

function reader(view: ReadView, entity: EntityKind): (id: number, key: number) => PropertyValue | undefined {
  return (id, key) => (entity === "node" ? view.nodeProperty(id, key) : view.relationshipProperty(id, key));
}

function idsOf(cursor: IdCursor): number[] {
  const ids: number[] = [];
  for (let id = cursor.next(); id >= 0; id = cursor.next()) {
    ids.push(id);
  }
  return ids;
}

function equal(found: readonly number[], expected: readonly number[], what: string): void {
  if (found.join() !== expected.join()) {
    throw new Error(`${what}: ${found.join()} instead of ${expected.join()}`);
  }
}

/** All that must be there, nothing that must not, ascending and once. */
function includes(found: readonly number[], least: readonly number[], most: readonly number[], what: string): void {
  const isFine =
    least.every((id) => found.includes(id)) &&
    found.every((id, at) => most.includes(id) && (at === 0 || id > (found[at - 1] as number)));
  if (!isFine) {
    throw new Error(`${what}: ${found.join()}, but at least ${least.join()} and at most ${most.join()}`);
  }
}
