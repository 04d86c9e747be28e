import { InternedSets } from "../memory/interned-sets.ts";
import { grown, sharedInt32 } from "../memory/shared-array.ts";
import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";
import { AdjacencyList } from "./adjacency-list.ts";

/** One direction of the graph: an {@link AdjacencyList} per relationship type, and per node the types it has. */
export class Adjacency {
  readonly #lists: (AdjacencyList | undefined)[] = [];
  #typeSets: Int32Array = sharedInt32(0);
  #sets = new InternedSets();

  list(type: number): AdjacencyList | undefined {
    return this.#lists[type];
  }

  /** The types that `node` has relationships of; shared, not to be changed. */
  typesOf(node: number): readonly number[] {
    return this.#sets.membersOf(this.#typeSets[node] ?? 0);
  }

  append(node: number, type: number, relationship: number, neighbour: number): void {
    this.listFor(type).append(node, relationship, neighbour);
    this.noteType(node, type);
  }

  /** Removes relationships of one type from a node that has them all. */
  remove(node: number, type: number, gone: ReadonlySet<number>): void {
    const list = this.listFor(type);
    list.remove(node, gone);
    if (list.degree(node) === 0) {
      this.#typeSets[node] = this.#sets.without(this.#typeSets[node] as number, type);
    }
  }

  listFor(type: number): AdjacencyList {
    let list = this.#lists[type];
    if (list === undefined) {
      list = new AdjacencyList();
      while (this.#lists.length < type) {
        this.#lists.push(undefined);
      }
      this.#lists[type] = list;
    }
    return list;
  }

  noteType(node: number, type: number): void {
    this.#typeSets = grown(this.#typeSets, node + 1, 0);
    this.#typeSets[node] = this.#sets.with(this.#typeSets[node] as number, type);
  }

  save(out: SectionWriter, name: string, nodeIdLimit: number): void {
    out.json(`${name}.sets`, this.#sets.all());
    out.json(
      `${name}.types`,
      this.#lists.flatMap((list, type) => (list === undefined ? [] : [type])),
    );
    out.array(`${name}.typeSets`, this.#typeSets, Math.min(nodeIdLimit, this.#typeSets.length));
    this.#lists.forEach((list, type) => list?.save(out, `${name}.${type}`));
  }

  static restore(source: SectionReader, name: string): Adjacency {
    const adjacency = new Adjacency();
    adjacency.#sets = InternedSets.restore(source.json(`${name}.sets`) as number[][]);
    adjacency.#typeSets = source.int32(`${name}.typeSets`);
    for (const type of source.json(`${name}.types`) as number[]) {
      adjacency.#lists[type] = AdjacencyList.restore(source, `${name}.${type}`);
    }
    return adjacency;
  }
}
