import { StoreError } from "../errors.ts";
import { type TokenTable } from "../read-view.ts";

/** Names of one kind in the order in which they came; see {@link TokenTable}. */
export class TokenNames implements TokenTable {
  readonly #names: string[] = [];
  readonly #ids = new Map<string, number>();

  get size(): number {
    return this.#names.length;
  }

  find(name: string): number {
    return this.#ids.get(name) ?? -1;
  }

  nameOf(id: number): string {
    const name = this.#names[id];
    if (name === undefined) {
      throw new StoreError("DatabaseError.General.UnknownFailure", `There is no token with id ${id}.`);
    }
    return name;
  }

  idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) {
      return known;
    }
    const id = this.#names.length;
    this.#names.push(name);
    this.#ids.set(name, id);
    return id;
  }

  namesFrom(id: number): readonly string[] {
    return this.#names.slice(id);
  }
}

/** The three name tables of a store. They grow outside of transactions: a name that was used once keeps its id. */
export class Tokens {
  readonly labels: TokenNames = new TokenNames();
  readonly relationshipTypes: TokenNames = new TokenNames();
  readonly propertyKeys: TokenNames = new TokenNames();

  save(): SavedTokens {
    return {
      labels: this.labels.namesFrom(0),
      relationshipTypes: this.relationshipTypes.namesFrom(0),
      propertyKeys: this.propertyKeys.namesFrom(0),
    };
  }

  restore(saved: SavedTokens): void {
    saved.labels.forEach((name) => this.labels.idOf(name));
    saved.relationshipTypes.forEach((name) => this.relationshipTypes.idOf(name));
    saved.propertyKeys.forEach((name) => this.propertyKeys.idOf(name));
  }
}

/** The names of each table in order of their ids. */
export interface SavedTokens {
  readonly labels: readonly string[];
  readonly relationshipTypes: readonly string[];
  readonly propertyKeys: readonly string[];
}
