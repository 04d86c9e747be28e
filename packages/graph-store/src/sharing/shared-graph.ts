import { must } from "@trefoil/base";
import { type Catalog } from "../indexes/catalog.ts";
import { type IndexEntries } from "../indexes/value-index.ts";
import { type StoreArray } from "../memory/shared-array.ts";
import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";
import { type SavedSchema } from "../schema/schema.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { type SavedTokens, type Tokens } from "../tables/token-table.ts";

/**
 * The arrays of a base as other threads can be sent them: shared memory, so nothing is copied. They hold the state of
 * one view, and only for as long as it is open.
 */
export interface SharedGraph {
  /** Another number for every state. */
  readonly state: number;
  readonly sections: ReadonlyMap<string, unknown>;
  readonly tokens: SavedTokens;
  readonly schema: SavedSchema;
  /** What is known of each index over values; whoever needs one fills its own from the arrays. */
  readonly indexEntries: ReadonlyMap<string, IndexEntries>;
}

export function shareGraph(state: number, base: GraphBase, tokens: Tokens, catalog: Catalog): SharedGraph {
  const sections = new HandedOver();
  base.save(sections);
  const indexes = [...catalog.indexes("node"), ...catalog.indexes("relationship")];
  const indexEntries = new Map(
    indexes.map(({ definition: { name }, size, distinct }): [string, IndexEntries] => [name, { size, distinct }]),
  );
  return { state, sections: sections.all, tokens: tokens.save(), schema: catalog.schema.save(), indexEntries };
}

class HandedOver implements SectionWriter {
  readonly isLent = true;
  readonly all: Map<string, unknown> = new Map<string, unknown>();

  array(name: string, array: StoreArray, length: number): void {
    this.all.set(name, array.subarray(0, length));
  }

  json(name: string, value: unknown): void {
    this.all.set(name, value);
  }
}

/** What another thread reads a base from. */
export class TakenOver implements SectionReader {
  readonly isLent = true;
  readonly #sections: ReadonlyMap<string, unknown>;

  constructor({ sections }: SharedGraph) {
    this.#sections = sections;
  }

  has(name: string): boolean {
    return this.#sections.has(name);
  }

  int32(name: string): Int32Array {
    return this.#get(name) as Int32Array;
  }

  uint32(name: string): Uint32Array {
    return this.#get(name) as Uint32Array;
  }

  bytes(name: string): Uint8Array {
    return this.#get(name) as Uint8Array;
  }

  float64(name: string): Float64Array {
    return this.#get(name) as Float64Array;
  }

  bigInt64(name: string): BigInt64Array {
    return this.#get(name) as BigInt64Array;
  }

  json(name: string): unknown {
    return this.#get(name);
  }

  #get(name: string): unknown {
    return must(this.#sections.get(name), `section ${name} was handed over`);
  }
}
