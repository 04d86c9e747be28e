/**
 * Entities by key, read through and kept until they are invalidated, at most `limit` of them. What isn't found is not
 * kept: an unknown name costs its sender a query, never us memory.
 */
export class EntityCache<Entity> {
  readonly #read: (key: string) => Promise<Entity | undefined>;
  readonly #limit: number;
  readonly #entities = new Map<string, Entity>();
  /** Rises with every invalidation, so that a read begun before one doesn't put the old state back after it. */
  #generation = 0;

  constructor(read: (key: string) => Promise<Entity | undefined>, limit: number) {
    this.#read = read;
    this.#limit = limit;
  }

  async find(key: string): Promise<Entity | undefined> {
    return this.#entities.get(key) ?? (await this.#load(key));
  }

  /** Forgets everything: changes are rare, and an entity may be known under several keys. */
  invalidate(): void {
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
