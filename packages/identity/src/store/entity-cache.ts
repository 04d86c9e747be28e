import { BoundedMap } from "./bounded-map.ts";
import { type SharedChanges } from "./shared-changes.ts";

/**
 * Entities by key, read through and kept until they are invalidated, at most `limit` of them. What isn't found is not
 * kept: an unknown name costs its sender a query, never us memory.
 */
export class EntityCache<Entity> {
  readonly #read: (key: string) => Promise<Entity | undefined>;
  readonly #changes: SharedChanges;
  readonly #entities: BoundedMap<Entity>;
  /** Rises with every invalidation, so that a read begun before one doesn't put the old state back after it. */
  #generation = 0;

  constructor(read: (key: string) => Promise<Entity | undefined>, limit: number, changes: SharedChanges) {
    this.#read = read;
    this.#entities = new BoundedMap(limit);
    this.#changes = changes;
    changes.onElsewhere(() => this.forget());
  }

  /** What is known is given at once: a promise for it costs more than looking it up. */
  find(key: string): Entity | Promise<Entity | undefined> {
    const checking = this.#changes.check();
    return checking === undefined
      ? (this.#entities.get(key) ?? this.#load(key))
      : checking.then(() => this.#entities.get(key) ?? this.#load(key));
  }

  /** After a change: forgets everything, since an entity may be known under several keys, and has others forget it. */
  async invalidate(): Promise<void> {
    this.forget();
    await this.#changes.note();
  }

  /** Forgets everything here alone. */
  forget(): void {
    this.#generation += 1;
    this.#entities.clear();
  }

  async #load(key: string): Promise<Entity | undefined> {
    const generation = this.#generation;
    const entity = await this.#read(key);
    if (entity !== undefined && generation === this.#generation) {
      this.#entities.set(key, entity);
    }
    return entity;
  }
}
