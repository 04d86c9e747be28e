import { type StaleEntry } from "../indexes/catalog.ts";
import { type AdjacencyChange, type ChangeSet, type NodeChange, type RelationshipChange } from "./changes.ts";

/** Committed changes that the base arrays don't have yet: per entity a chain, newest first. */
export class VersionLayer implements ChangeSet {
  readonly nodes: Map<number, NodeChange> = new Map();
  readonly relationships: Map<number, RelationshipChange> = new Map();
  readonly adjacency: Map<number, AdjacencyChange> = new Map();
  /** Index entries that nobody needs once this layer is in the base. */
  readonly stale: StaleEntry[] = [];
  #lastEpoch = 0;

  /** The epoch of the newest change in here. */
  get lastEpoch(): number {
    return this.#lastEpoch;
  }

  get isEmpty(): boolean {
    return this.#lastEpoch === 0;
  }

  /** Takes over the changes of a transaction that commits at `epoch`, later than all before. */
  add(changes: ChangeSet, epoch: number, stale: readonly StaleEntry[]): void {
    for (const entry of stale) {
      this.stale.push(entry);
    }
    this.#lastEpoch = epoch;
    for (const [node, change] of changes.nodes) {
      change.epoch = epoch;
      change.older = this.nodes.get(node);
      this.nodes.set(node, change);
    }
    for (const [relationship, change] of changes.relationships) {
      change.epoch = epoch;
      change.older = this.relationships.get(relationship);
      this.relationships.set(relationship, change);
    }
    for (const [node, change] of changes.adjacency) {
      const into = this.adjacency.get(node);
      if (into === undefined) {
        this.adjacency.set(node, change);
      } else {
        append(into, change);
      }
    }
  }
}

function append(into: AdjacencyChange, change: AdjacencyChange): void {
  for (const list of ["outAdded", "inAdded", "outRemoved", "inRemoved"] as const) {
    // One by one: a hub can have more than fit on the stack as arguments.
    for (const one of change[list]) {
      into[list].push(one);
    }
  }
}

/** The changes of a chain, oldest first: the order in which they are applied. */
export function oldestFirst<C extends { readonly older: C | undefined }>(newest: C): C[] {
  if (newest.older === undefined) {
    return [newest];
  }
  const chain: C[] = [];
  for (let change: C | undefined = newest; change !== undefined; change = change.older) {
    chain.push(change);
  }
  return chain.toReversed();
}
