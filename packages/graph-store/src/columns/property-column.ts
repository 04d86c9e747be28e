import { hashOfNumber, hashOfValue } from "../indexes/value-key.ts";
import { isDense, isSparse, SlotIndex } from "../memory/slot-index.ts";
import {
  grown,
  sharedBigInt64,
  sharedBytes,
  sharedFloat64,
  sharedInt32,
  sharedUint32,
  type StoreArray,
} from "../memory/shared-array.ts";
import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { floatOf, integerOf, WholeFloat } from "../values/whole-float.ts";
import { type ColumnKind, kindOf, NO_INT32, NO_INT64, widened } from "./column-kind.ts";
import { type StringDictionary } from "./string-dictionary.ts";
import { ValueHeap } from "./value-heap.ts";

/**
 * The values of one property key for all nodes (or all relationships). Dense columns are indexed by entity id; where
 * few of many entities have the key, a hash table gives the index instead. Generated code reads `kind`, `dense` and
 * `values` (see column-kind.ts) and falls back to {@link PropertyColumn.get} for what it has no loop for.
 */
export class PropertyColumn {
  #kind: ColumnKind;
  #values: StoreArray;
  #slots: SlotIndex | undefined;
  #count = 0;
  #idLimit = 0;
  #expectedIds = 0;
  #heap: ValueHeap | undefined;
  readonly #strings: StringDictionary;

  constructor(kind: ColumnKind, strings: StringDictionary) {
    this.#kind = kind;
    this.#strings = strings;
    this.#values = arrayOf(kind);
    this.#heap = kind === "any" ? new ValueHeap() : undefined;
  }

  get kind(): ColumnKind {
    return this.#kind;
  }

  /** Whether `values` is indexed by entity id; ids beyond its end have no value. */
  get dense(): boolean {
    return this.#slots === undefined;
  }

  get values(): StoreArray {
    return this.#values;
  }

  /** How many entities have a value. */
  get count(): number {
    return this.#count;
  }

  /** Values up to this id are about to come. */
  expect(idLimit: number): void {
    this.#expectedIds = idLimit;
  }

  get(entity: number): PropertyValue | undefined {
    const slot = this.#slots === undefined ? entity : this.#slots.find(entity);
    const raw = this.#values[slot];
    return raw === undefined || isAbsent(this.#kind, raw) ? undefined : this.#decoded(this.#kind, raw);
  }

  /** The code of a string in a column of strings, 0 of anything else. */
  codeOf(entity: number): number {
    const slot = this.#slots === undefined ? entity : this.#slots.find(entity);
    return this.#kind === "string" ? Number(this.#values[slot] ?? 0) : 0;
  }

  /** The hash of the value (indexes/value-key.ts) without making it, `undefined` when there is none. */
  hashOf(entity: number): number | undefined {
    const slot = this.#slots === undefined ? entity : this.#slots.find(entity);
    const raw = this.#values[slot];
    if (raw === undefined || isAbsent(this.#kind, raw)) {
      return undefined;
    }
    switch (this.#kind) {
      case "int32":
      case "integer":
      case "float":
        return hashOfNumber(raw as number);
      case "string":
        return this.#strings.hashOf(raw as number);
      default:
        return hashOfValue(this.#decoded(this.#kind, raw));
    }
  }

  set(entity: number, value: PropertyValue): void {
    if (typeof value === "number" && this.#setInt32(entity, value)) {
      return;
    }
    const kind = widened(this.#count === 0 ? kindOf(value) : this.#kind, kindOf(value));
    if (kind !== this.#kind) {
      this.#convert(kind);
    }
    const slot = this.#slotFor(entity);
    const former = this.#values[slot] as number | bigint;
    // Acquire before release: a string that stays must not lose its code in between.
    const raw = this.#encoded(value);
    this.#values[slot] = raw;
    if (isAbsent(kind, former)) {
      this.#count += 1;
    } else {
      this.#dropped(former);
    }
    if (this.#heap?.isMostlyGarbage === true) {
      this.#rewriteHeap();
    }
  }

  /**
   * As {@link PropertyColumn.set} for a text that lies in bytes, which need not become a string.
   *
   * @returns  false, with nothing done, when they are not all ASCII or the column has values that are no texts
   */
  setAscii(entity: number, source: Uint8Array, start: number, end: number): boolean {
    if (this.#kind !== "string") {
      return false;
    }
    const code = this.#strings.acquireAscii(source, start, end);
    if (code === 0) {
      return false;
    }
    const slot = this.#slotFor(entity);
    const former = this.#values[slot] as number;
    this.#values[slot] = code;
    if (former === 0) {
      this.#count += 1;
    } else {
      this.#strings.release(former);
    }
    return true;
  }

  /** The usual case of a number: it fits, and its place is there. */
  #setInt32(entity: number, value: number): boolean {
    const values = this.#values;
    if (
      this.#kind !== "int32" ||
      this.#slots !== undefined ||
      entity >= values.length ||
      (value | 0) !== value ||
      value === NO_INT32 ||
      Object.is(value, -0)
    ) {
      return false;
    }
    this.#count += values[entity] === NO_INT32 ? 1 : 0;
    values[entity] = value;
    if (entity >= this.#idLimit) {
      this.#idLimit = entity + 1;
    }
    return true;
  }

  remove(entity: number): void {
    const slot = this.#slots === undefined ? entity : this.#slots.find(entity);
    const former = this.#values[slot];
    if (former !== undefined && !isAbsent(this.#kind, former)) {
      this.#values[slot] = ABSENT[this.#kind];
      this.#count -= 1;
      this.#dropped(former);
    }
  }

  save(out: SectionWriter, name: string): void {
    const length = this.#slots?.size ?? Math.min(this.#idLimit, this.#values.length);
    out.json(`${name}.facts`, {
      kind: this.#kind,
      dense: this.dense,
      count: this.#count,
      idLimit: this.#idLimit,
      heapLive: this.#heap?.live ?? 0,
    });
    out.array(`${name}.values`, this.#values, length);
    if (this.#slots !== undefined) {
      out.array(`${name}.ids`, this.#slots.idsBySlot(), length);
    }
    if (this.#heap !== undefined) {
      out.array(`${name}.heap`, this.#heap.bytes, this.#heap.used);
    }
  }

  static restore(source: SectionReader, name: string, strings: StringDictionary): PropertyColumn {
    const facts = source.json(`${name}.facts`) as {
      kind: ColumnKind;
      dense: boolean;
      count: number;
      idLimit: number;
      heapLive: number;
    };
    const column = new PropertyColumn(facts.kind, strings);
    column.#values = readArray(source, `${name}.values`, facts.kind);
    column.#count = facts.count;
    column.#idLimit = facts.idLimit;
    column.#slots = facts.dense ? undefined : SlotIndex.restore(source.int32(`${name}.ids`));
    column.#heap = facts.kind === "any" ? ValueHeap.over(source.bytes(`${name}.heap`), facts.heapLive) : undefined;
    return column;
  }

  #decoded(kind: ColumnKind, raw: number | bigint): PropertyValue {
    switch (kind) {
      case "boolean":
        return raw === 2;
      case "int32":
      case "integer":
        return raw;
      case "int64":
        return integerOf(raw as bigint);
      case "float":
        return floatOf(raw as number);
      case "string":
        return this.#strings.textOf(raw as number);
      case "any":
        return (this.#heap as ValueHeap).get(raw as number);
    }
  }

  #encoded(value: PropertyValue): number | bigint {
    switch (this.#kind) {
      case "boolean":
        return value === true ? 2 : 1;
      case "int32":
      case "integer":
        return value as number;
      case "int64":
        return BigInt(value as number | bigint);
      case "float":
        return value instanceof WholeFloat ? value.value : (value as number);
      case "string":
        return this.#strings.acquire(value as string);
      case "any":
        return (this.#heap as ValueHeap).add(value);
    }
  }

  #dropped(raw: number | bigint): void {
    if (this.#kind === "string") {
      this.#strings.release(raw as number);
    } else if (this.#kind === "any") {
      const heap = this.#heap as ValueHeap;
      heap.drop(heap.get(raw as number));
    }
  }

  /** Where the value of `entity` goes; may change between dense and hashed, which makes new arrays. */
  #slotFor(entity: number): number {
    this.#idLimit = Math.max(this.#idLimit, entity + 1);
    if (this.#slots === undefined) {
      if (entity < this.#values.length) {
        return entity;
      }
      if (!isSparse(this.#count, entity)) {
        // All the room at once, unless most of it would stay empty.
        const length = this.#count * 2 >= entity ? Math.max(entity + 1, this.#expectedIds) : entity + 1;
        this.#values = grown(this.#values, length, ABSENT[this.#kind]);
        return entity;
      }
      this.#slots = this.#makeHashed();
    } else if (isDense(this.#slots.size, this.#idLimit)) {
      this.#makeDense(this.#slots);
      return entity;
    }
    const slot = this.#slots.add(entity);
    this.#values = grown(this.#values, slot + 1, ABSENT[this.#kind]);
    return slot;
  }

  #makeHashed(): SlotIndex {
    const dense = this.#values;
    const slots = new SlotIndex();
    let values: StoreArray = arrayOf(this.#kind);
    for (let entity = 0; entity < dense.length; entity++) {
      const raw = dense[entity] as number | bigint;
      if (!isAbsent(this.#kind, raw)) {
        const slot = slots.add(entity);
        values = grown(values, slot + 1, ABSENT[this.#kind]);
        values[slot] = raw;
      }
    }
    this.#values = values;
    return slots;
  }

  #makeDense(slots: SlotIndex): void {
    const hashed = this.#values;
    const values = grown(arrayOf(this.#kind), this.#idLimit, ABSENT[this.#kind]);
    slots.forEach((entity, slot) => {
      values[entity] = hashed[slot] as number | bigint;
    });
    this.#slots = undefined;
    this.#values = values;
  }

  /** The same values in arrays of a wider kind; readers of the old arrays keep them. */
  #convert(kind: ColumnKind): void {
    const from = this.#values;
    const formerKind = this.#kind;
    this.#kind = kind;
    this.#values = grown(arrayOf(kind), from.length, ABSENT[kind]);
    this.#heap = kind === "any" ? new ValueHeap() : undefined;
    for (let slot = 0; slot < from.length; slot++) {
      const raw = from[slot] as number | bigint;
      if (!isAbsent(formerKind, raw)) {
        this.#values[slot] = this.#encoded(this.#decoded(formerKind, raw));
        if (formerKind === "string") {
          this.#strings.release(raw as number);
        }
      }
    }
  }

  #rewriteHeap(): void {
    const former = this.#heap as ValueHeap;
    const from = this.#values;
    this.#heap = new ValueHeap();
    this.#values = grown(arrayOf("any"), from.length, 0);
    for (let slot = 0; slot < from.length; slot++) {
      const reference = from[slot] as number;
      if (reference !== 0) {
        this.#values[slot] = this.#heap.add(former.get(reference));
      }
    }
  }
}

const ABSENT: Record<ColumnKind, number | bigint> = {
  boolean: 0,
  int32: NO_INT32,
  integer: Number.NaN,
  int64: NO_INT64,
  float: Number.NaN,
  string: 0,
  any: 0,
};

function isAbsent(kind: ColumnKind, raw: number | bigint): boolean {
  return kind === "integer" || kind === "float" ? Number.isNaN(raw as number) : raw === ABSENT[kind];
}

function arrayOf(kind: ColumnKind): StoreArray {
  switch (kind) {
    case "boolean":
      return sharedBytes(0);
    case "int32":
    case "string":
      return sharedInt32(0);
    case "integer":
    case "float":
      return sharedFloat64(0);
    case "int64":
      return sharedBigInt64(0);
    case "any":
      return sharedUint32(0);
  }
}

function readArray(source: SectionReader, name: string, kind: ColumnKind): StoreArray {
  switch (kind) {
    case "boolean":
      return source.bytes(name);
    case "int32":
    case "string":
      return source.int32(name);
    case "integer":
    case "float":
      return source.float64(name);
    case "int64":
      return source.bigInt64(name);
    case "any":
      return source.uint32(name);
  }
}
