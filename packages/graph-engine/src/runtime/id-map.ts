/** Where ids are looked for first: their bits, well mixed. */
const MULTIPLIER = 0x9e3779b1;

/** A small number per id, in a hash table without objects: far less to look at than in a `Map`. */
export class IdMap {
  /** One more than the id; 0 where there is none. */
  #keys = new Int32Array(64);
  #values = new Int32Array(64);
  #shift = 32 - 6;
  #size = 0;

  has(id: number): boolean {
    return this.#keys[this.#placeOf(id)] !== 0;
  }

  get(id: number): number | undefined {
    const place = this.#placeOf(id);
    return this.#keys[place] === 0 ? undefined : this.#values[place];
  }

  set(id: number, value: number): void {
    let place = this.#placeOf(id);
    if (this.#keys[place] === 0) {
      this.#size += 1;
      if (this.#size * 2 > this.#keys.length) {
        this.#grow();
        place = this.#placeOf(id);
      }
      this.#keys[place] = id + 1;
    }
    this.#values[place] = value;
  }

  /** Where the id is, or would be. */
  #placeOf(id: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    const key = id + 1;
    let place = Math.imul(id, MULTIPLIER) >>> this.#shift;
    for (let found = keys[place] as number; found !== key && found !== 0; found = keys[place] as number) {
      place = (place + 1) & mask;
    }
    return place;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Int32Array(keys.length * 2);
    this.#values = new Int32Array(keys.length * 2);
    this.#shift -= 1;
    for (let former = 0; former < keys.length; former += 1) {
      const key = keys[former] as number;
      if (key !== 0) {
        const place = this.#placeOf(key - 1);
        this.#keys[place] = key;
        this.#values[place] = values[former] as number;
      }
    }
  }
}
