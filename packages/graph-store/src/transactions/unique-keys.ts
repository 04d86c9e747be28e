import { StoreError } from "../errors.ts";
import { type EntityStates, indexedValues } from "../indexes/indexed-values.ts";
import { hasValues } from "../indexes/fill-index.ts";
import { hashOfValues } from "../indexes/value-key.ts";
import { type ValueIndex } from "../indexes/value-index.ts";
import { valueInMessage } from "../schema/schema-text.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type OwnEntries } from "../view/index-seek.ts";
import { type LockOwner, type LockTable, uniqueKeyLock } from "./lock-table.ts";

/** The transaction whose keys are watched. */
export interface KeyOwner extends LockOwner, OwnEntries {
  /** The newest committed state with its own writes. */
  newestStates(): EntityStates;
}

interface Claim {
  readonly index: ValueIndex;
  readonly id: number;
  readonly lock: number;
}

/**
 * Keeps values that must be unique so: whoever writes one holds the lock on it until the end of its transaction, then
 * looks whether somebody has it. A lock that another transaction holds leaves the claim open until it is had.
 */
export class UniqueKeys {
  readonly #owner: KeyOwner;
  readonly #locks: LockTable;
  #open: Claim[] = [];

  constructor(owner: KeyOwner, locks: LockTable) {
    this.#owner = owner;
    this.#locks = locks;
  }

  /** The lock that an open claim waits for, if there is one. */
  get wanted(): number | undefined {
    return this.#open[0]?.lock;
  }

  /** @throws StoreError  `Schema.ConstraintViolation` when another entity has the values */
  claim(index: ValueIndex, id: number, values: readonly PropertyValue[]): void {
    const claim = { index, id, lock: uniqueKeyLock(index.ids.token, hashOfValues(values)) };
    if (this.#locks.tryAcquire(this.#owner, claim.lock)) {
      this.#check(claim);
    } else {
      this.#open.push(claim);
    }
  }

  /**
   * Whether every claim is settled; else `wanted` is to be waited for.
   *
   * @throws StoreError  as {@link claim}
   */
  settle(): boolean {
    while (this.#open.length > 0) {
      const [claim] = this.#open;
      if (claim === undefined || !this.#locks.tryAcquire(this.#owner, claim.lock)) {
        return false;
      }
      this.#open.shift();
      this.#check(claim);
    }
    return true;
  }

  /** Claims of writes that were undone are judged by what is there now, so they do no harm; these need no wait either. */
  giveUpUndone(): void {
    const states = this.#owner.newestStates();
    this.#open = this.#open.filter(
      ({ index, id }) => indexedValues(states, index.definition.entity, index.ids, id) !== undefined,
    );
  }

  /** Who has the values now: committed, or written by this transaction. */
  holderOf(index: ValueIndex, values: readonly PropertyValue[], except: number): number | undefined {
    const candidates: number[] = [];
    index.collectEqual(values, candidates);
    this.#owner.collectOwn(index, values, candidates);
    if (candidates.every((id) => id === except)) {
      return undefined;
    }
    const states = this.#owner.newestStates();
    return candidates.find((id) => id !== except && hasValues(index, states, id, values));
  }

  #check({ index, id }: Claim): void {
    const states = this.#owner.newestStates();
    const values = indexedValues(states, index.definition.entity, index.ids, id);
    const holder = values === undefined ? undefined : this.holderOf(index, values, id);
    if (values !== undefined && holder !== undefined) {
      throw new StoreError("ClientError.Schema.ConstraintViolation", violation(index, holder, values));
    }
  }
}

/** The unique indexes that an entity with these tokens and properties would be in, and the values it would have there. */
export function uniqueIndexesFor(
  indexes: readonly ValueIndex[],
  tokens: readonly number[],
  properties: ReadonlyMap<number, PropertyValue>,
): readonly { readonly index: ValueIndex; readonly values: readonly PropertyValue[] }[] {
  return indexes
    .filter(({ unique, ids }) => unique && tokens.includes(ids.token) && ids.keys.every((key) => properties.has(key)))
    .map((index) => ({ index, values: index.ids.keys.map((key) => properties.get(key) as PropertyValue) }));
}

function violation({ definition }: ValueIndex, holder: number, values: readonly PropertyValue[]): string {
  const { entity, tokens, properties } = definition;
  const what = entity === "node" ? "Node" : "Relationship";
  const token = `${entity === "node" ? "label" : "type"} ${tokens[0] ?? ""}`;
  const pairs = properties.map((property, at) => `"${property}"=[${valueInMessage(values[at] as PropertyValue)}]`);
  return `${what} ${holder} already exists with ${token} and ${pairs.length === 1 ? "property" : "properties"} ${pairs.join(", ")}`;
}
