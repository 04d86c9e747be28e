import { StoreConflictError } from "../errors.ts";
import { type ReadView } from "../read-view.ts";
import { ReadSet } from "../serializability/read-set.ts";
import { readsChanged } from "../serializability/reads-changed.ts";
import { TrackedView } from "../serializability/tracked-view.ts";
import { type AdjacencyChange, type RelationshipChange } from "../versions/changes.ts";
import { committedView } from "../view/committed-view.ts";
import { type GraphView } from "../view/graph-view.ts";
import { type StoreCore } from "./store-core.ts";

/**
 * The one state that a snapshot or serializable transaction sees, and what makes its writes conflict with those of
 * others since (decisions/0120). First updater wins: who is about to change what somebody else has changed since the
 * snapshot gets the transient error.
 */
export class Snapshot {
  readonly #core: StoreCore;
  readonly #serializable: boolean;
  #epoch: number;
  /** What a serializable transaction has asked. */
  #reads: ReadSet | undefined;

  constructor(core: StoreCore, serializable: boolean) {
    this.#core = core;
    this.#serializable = serializable;
    this.#epoch = core.versions.epoch;
    this.#take();
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The view as its transaction is to ask it. */
  tracked(view: GraphView): ReadView & { readonly epoch: number } {
    return this.#reads === undefined ? view : new TrackedView(view, this.#reads, this.#core.versions.catalog);
  }

  legacyIndexRead(): void {
    if (this.#reads !== undefined) {
      this.#reads.legacyIndexes = true;
    }
  }

  /** @throws StoreConflictError  Transaction.Outdated, when the last change came after the snapshot */
  checkUnchanged(lastChange: number): void {
    if (lastChange > this.#epoch) {
      throw outdated("Another transaction has changed what this one is about to change since its snapshot was taken.");
    }
  }

  /**
   * Two nodes are joined once or not by a type: MERGE looks before it makes, and what it saw must still be so.
   *
   * @throws StoreConflictError  Transaction.Outdated
   */
  checkPair(start: number, type: number, end: number): void {
    const isBetween = (change: RelationshipChange): boolean => change.type === type && change.end === end;
    if (this.#someChangeAt(start, ["outAdded", "outRemoved"], isBetween)) {
      throw outdated("Another transaction has joined or parted two nodes that this one is about to join.");
    }
  }

  /** @throws StoreConflictError  Transaction.Outdated, when relationships of a node that is to go came or went since */
  checkRelationshipsOf(node: number): void {
    if (this.#someChangeAt(node, ["outAdded", "inAdded", "outRemoved", "inRemoved"], () => true)) {
      throw outdated("Another transaction has changed the relationships of a node that this one is about to delete.");
    }
  }

  /**
   * Before a commit: would everything that was read be read again, with all that is committed by now?
   *
   * @param writes  whether it writes: who only reads stands where its snapshot was taken, whatever came later
   * @throws StoreConflictError  Transaction.Outdated
   */
  validate(writes: boolean): void {
    const reads = this.#reads;
    if (reads === undefined || (!writes && !reads.legacyIndexes)) {
      return;
    }
    const { versions, history } = this.#core;
    const newest = committedView(versions);
    const since = { before: committedView(versions, this.#epoch), after: newest };
    const isOutdated =
      history.since(this.#epoch).some(({ changes }) => readsChanged(reads, changes, since)) ||
      [...history.onTheirWay].some((changes) =>
        readsChanged(reads, changes, { before: newest, after: committedView(versions, versions.epoch, changes) }),
      );
    if (isOutdated) {
      throw outdated("Another transaction has changed what this one has read.");
    }
  }

  /** After a part was committed: what comes now sees everything up to here. */
  renew(): void {
    this.release();
    this.#epoch = this.#core.versions.epoch;
    this.#take();
  }

  release(): void {
    this.#core.versions.unpin(this.#epoch);
    if (this.#serializable) {
      this.#core.history.removeReader(this.#epoch);
    }
  }

  #take(): void {
    this.#core.versions.pin(this.#epoch);
    if (this.#serializable) {
      this.#core.history.addReader(this.#epoch);
      this.#reads = new ReadSet(this.#core.tokens);
    }
  }

  #someChangeAt(
    node: number,
    lists: readonly (keyof AdjacencyChange)[],
    test: (change: RelationshipChange) => boolean,
  ): boolean {
    const { active, sealed } = this.#core.versions;
    return [active, sealed].some((layer) => {
      const changes = layer?.adjacency.get(node);
      return changes !== undefined && lists.some((list) => this.#someNew(changes[list], test));
    });
  }

  /** Lists are in the order of commits, so that those since the snapshot are at the end. */
  #someNew(changes: readonly RelationshipChange[], test: (change: RelationshipChange) => boolean): boolean {
    for (let at = changes.length - 1; at >= 0; at--) {
      const change = changes[at] as RelationshipChange;
      if (change.epoch <= this.#epoch) {
        return false;
      }
      if (test(change)) {
        return true;
      }
    }
    return false;
  }
}

function outdated(message: string): StoreConflictError {
  return new StoreConflictError("TransientError.Transaction.Outdated", message);
}
