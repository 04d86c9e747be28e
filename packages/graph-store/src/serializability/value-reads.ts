import { type EntityStates, indexedValues } from "../indexes/indexed-values.ts";
import { familyOf, type OrderFamily, orderKeyOf, type ValueRange } from "../indexes/order-key.ts";
import { type IndexedIds } from "../indexes/value-index.ts";
import { hashOfValues } from "../indexes/value-key.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { type PropertyValue } from "../values/property-value.ts";

/** Ranges of one property that are remembered one by one; with more of them all its values count as asked for. */
const MOST_RANGES = 1000;

/** What was asked about one label or type and its properties. */
interface Question {
  readonly entity: EntityKind;
  readonly ids: IndexedIds;
  /** Of values asked for; different ones may share a hash, which costs a needless conflict and nothing else. */
  readonly hashes: Set<number>;
  readonly ranges: ((value: PropertyValue) => boolean)[];
  /** Asked who has the properties, whatever their values. */
  any: boolean;
}

/** The questions by value that a transaction has asked: exact values, ranges, and who has a property at all. */
export class ValueReads {
  readonly #questions = new Map<string, Question>();

  /** @param values  in the order of `ids.keys` */
  addValues(entity: EntityKind, ids: IndexedIds, values: readonly PropertyValue[]): void {
    this.#question(entity, ids).hashes.add(hashOfValues(values));
  }

  addRange(entity: EntityKind, ids: IndexedIds, range: ValueRange): void {
    const question = this.#question(entity, ids);
    const family = familyOf(range);
    question.any ||= family === undefined || question.ranges.length >= MOST_RANGES;
    if (!question.any && family !== undefined) {
      question.ranges.push(membership(range, family));
    }
  }

  addAny(entity: EntityKind, ids: IndexedIds): void {
    this.#question(entity, ids).any = true;
  }

  /** Whether a question would be answered differently about this entity in the two states. */
  differ(entity: EntityKind, id: number, before: EntityStates, after: EntityStates): boolean {
    for (const question of this.#questions.values()) {
      if (question.entity === entity) {
        const former = indexedValues(before, entity, question.ids, id);
        const present = indexedValues(after, entity, question.ids, id);
        if (answersDiffer(question, former, present)) {
          return true;
        }
      }
    }
    return false;
  }

  #question(entity: EntityKind, ids: IndexedIds): Question {
    const name = `${entity} ${ids.token} ${ids.keys.join()}`;
    let question = this.#questions.get(name);
    if (question === undefined) {
      question = { entity, ids, hashes: new Set(), ranges: [], any: false };
      this.#questions.set(name, question);
    }
    return question;
  }
}

type Values = readonly PropertyValue[] | undefined;

function answersDiffer({ any, hashes, ranges }: Question, former: Values, present: Values): boolean {
  if (any && (former === undefined) !== (present === undefined)) {
    return true;
  }
  const [hashBefore, hashNow] = [former, present].map((values) => values && hashOfValues(values));
  if (hashBefore !== hashNow && [hashBefore, hashNow].some((hash) => hash !== undefined && hashes.has(hash))) {
    return true;
  }
  return ranges.some((contains) => isIn(contains, former) !== isIn(contains, present));
}

function isIn(contains: (value: PropertyValue) => boolean, values: Values): boolean {
  const [value] = values ?? [];
  return value !== undefined && contains(value);
}

/** Whether a value may be in the range, its ends included: what an index is asked for, too (indexes/order-key.ts). */
function membership(range: ValueRange, family: OrderFamily): (value: PropertyValue) => boolean {
  if (range.kind === "prefix") {
    return (value) => typeof value === "string" && value.startsWith(range.prefix);
  }
  const low = range.low === undefined ? undefined : orderKeyOf(range.low)?.key;
  const high = range.high === undefined ? undefined : orderKeyOf(range.high)?.key;
  return (value) => {
    const key = orderKeyOf(value);
    return key?.family === family && (low === undefined || key.key >= low) && (high === undefined || key.key <= high);
  };
}
