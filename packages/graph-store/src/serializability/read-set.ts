import { type Direction, type TokenTables } from "../read-view.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { ValueReads } from "./value-reads.ts";

/** Entities that are remembered one by one; with more of them a transaction counts as having read every one. */
const MOST_ENTITIES = 100_000;

/** How many names there were. */
interface KnownNames {
  readonly labels: number;
  readonly relationshipTypes: number;
  readonly propertyKeys: number;
}

/** Stands for relationships of any type. */
const ANY_TYPE = -1;

/**
 * What a serializable transaction has asked of the graph, so that its commit can find out whether the answers are still
 * the same (decisions/0120): single entities, relationships at nodes, and sets of entities by what they have in common.
 * Coarser than what was read, never finer.
 */
export class ReadSet {
  /**
   * A name that nobody has used yet is not asked for, because nothing can have it. So whoever commits something with a
   * newer name changes what was read.
   */
  readonly known: KnownNames;
  /** By label: who has it. By type: which relationships there are of it. */
  readonly labels: Set<number> = new Set();
  readonly types: Set<number> = new Set();
  readonly values: ValueReads = new ValueReads();
  /** Asked which entities there are at all. */
  readonly scanned: Record<EntityKind, boolean> = { node: false, relationship: false };
  /** Asked for entities by what their texts say: any change may matter. */
  readonly searched: Record<EntityKind, boolean> = { node: false, relationship: false };
  /** Asked an index of the 1.x line. */
  legacyIndexes = false;
  readonly #entities: Record<EntityKind, Set<number>> = { node: new Set(), relationship: new Set() };
  readonly #every: Record<EntityKind, boolean> = { node: false, relationship: false };
  readonly #adjacency = { out: new Map<number, Set<number>>(), in: new Map<number, Set<number>>() };
  #adjacencySize = 0;
  #everyAdjacency = false;

  constructor({ labels, relationshipTypes, propertyKeys }: TokenTables) {
    this.known = {
      labels: labels.size,
      relationshipTypes: relationshipTypes.size,
      propertyKeys: propertyKeys.size,
    };
  }

  addEntity(entity: EntityKind, id: number): void {
    if (this.#every[entity]) {
      return;
    }
    const ids = this.#entities[entity];
    ids.add(id);
    if (ids.size > MOST_ENTITIES) {
      this.#every[entity] = true;
      ids.clear();
    }
  }

  /** @param types  empty for any */
  addAdjacency(node: number, direction: Direction, types: readonly number[]): void {
    if (this.#everyAdjacency) {
      return;
    }
    for (const type of types.length === 0 ? [ANY_TYPE] : types) {
      if (direction !== "in") {
        this.#addSide("out", node, type);
      }
      if (direction !== "out") {
        this.#addSide("in", node, type);
      }
    }
    if (this.#adjacencySize > MOST_ENTITIES) {
      this.#everyAdjacency = true;
      this.#adjacency.out.clear();
      this.#adjacency.in.clear();
    }
  }

  hasEntity(entity: EntityKind, id: number): boolean {
    return this.#every[entity] || this.searched[entity] || this.#entities[entity].has(id);
  }

  /** Whether a relationship that comes or goes between the two nodes is one that was asked for. */
  hasAdjacency(start: number, type: number, end: number): boolean {
    const { out, in: into } = this.#adjacency;
    return (
      this.#everyAdjacency ||
      out.get(type)?.has(start) === true ||
      out.get(ANY_TYPE)?.has(start) === true ||
      into.get(type)?.has(end) === true ||
      into.get(ANY_TYPE)?.has(end) === true
    );
  }

  #addSide(side: "out" | "in", node: number, type: number): void {
    let nodes = this.#adjacency[side].get(type);
    if (nodes === undefined) {
      nodes = new Set();
      this.#adjacency[side].set(type, nodes);
    }
    const before = nodes.size;
    nodes.add(node);
    this.#adjacencySize += nodes.size - before;
  }
}
