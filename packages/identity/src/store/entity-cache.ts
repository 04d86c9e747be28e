import { type SharedChanges } from "./shared-changes.ts";

/**
 * Entities by key, read through and kept until they are invalidated, at most `limit` of them. What isn't found is not
 * kept: an unknown name costs its sender a query, never us memory.
 */
export class EntityCache<Entity> {
  readonly #read: (key: string) => Promise<Entity | undefined>;
  readonly #limit: number;
  readonly #changes: SharedChanges;
  readonly #entities = new Map<string, Entity>();
  /** Rises with every invalidation, so that a read begun before one doesn't put the old state back after it. */
  #generation = 0;

  constructor(read: (key: string) => Promise<Entity | undefined>, limit: number, changes: SharedChanges) {
    this.#read = read;
    this.#limit = limit;
    this.#changes = changes;
    changes.onElsewhere(() => this.forget());
  }

  async find(key: string): Promise<Entity | undefined> {
    const checking = this.#changes.check();
    if (checking !== undefined) {
      await checking;
    }
    return this.#entities.get(key) ?? (await this.#load(key));
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
      this.#keep(key, entity);
    }
    return entity;
  }

  #keep(key: string, entity: Entity): void {
    const oldest = this.#entities.keys().next();
    if (this.#entities.size >= this.#limit && oldest.done !== true) {
      this.#entities.delete(oldest.value);
    }
    this.#entities.set(key, entity);
  }
}
