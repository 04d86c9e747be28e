const MEMBER_RANGE = 2 ** 21;

/**
 * Small sets of token ids, each kept once and known by a number: the labels of a node, the keys an entity has
 * properties for, the types of its relationships. Set 0 is the empty one. Sets are ascending arrays, never changed.
 */
export class InternedSets {
  readonly #sets: (readonly number[])[] = [[]];
  readonly #ids = new Map<string, number>([["", 0]]);
  readonly #with = new Map<number, number>();
  readonly #without = new Map<number, number>();

  static restore(sets: readonly (readonly number[])[]): InternedSets {
    const restored = new InternedSets();
    for (const set of sets) {
      restored.idOf(set);
    }
    return restored;
  }

  /** Every set in order of its number: what {@link InternedSets.restore} takes. */
  all(): readonly (readonly number[])[] {
    return this.#sets;
  }

  membersOf(id: number): readonly number[] {
    return this.#sets[id] as readonly number[];
  }

  has(id: number, member: number): boolean {
    return this.membersOf(id).includes(member);
  }

  /** The number of the set of `members`, in any order, each once. */
  idOf(members: readonly number[]): number {
    const sorted = members.toSorted((a, b) => a - b);
    const key = sorted.join(",");
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#sets.length;
      this.#sets.push(sorted);
      this.#ids.set(key, id);
    }
    return id;
  }

  with(id: number, member: number): number {
    const step = id * MEMBER_RANGE + member;
    let result = this.#with.get(step);
    if (result === undefined) {
      result = this.has(id, member) ? id : this.idOf([...this.membersOf(id), member]);
      this.#with.set(step, result);
    }
    return result;
  }

  without(id: number, member: number): number {
    const step = id * MEMBER_RANGE + member;
    let result = this.#without.get(step);
    if (result === undefined) {
      result = this.has(id, member) ? this.idOf(this.membersOf(id).filter((other) => other !== member)) : id;
      this.#without.set(step, result);
    }
    return result;
  }
}
