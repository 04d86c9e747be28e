import { assert } from "@trefoil/base";
import { type GraphBase } from "../tables/graph-base.ts";
import { type ChangeSet, type RelationshipChange } from "./changes.ts";
import { VersionLayer } from "./version-layer.ts";

/**
 * Which state of the graph is visible to whom (docs/decisions/0001, 0045). The base is the state as of `baseEpoch`;
 * above it lie at most two layers of newer commits:
 *
 *     active   commits since the other one was sealed
 *     sealed   commits up to some epoch; waits until every pinned epoch has reached that, then goes into the base
 *     base     flat arrays
 *
 * A view pins the epoch it reads at. Nothing later than the oldest pin is folded, so what a view finds in the base for
 * an entity that no layer mentions is the same for as long as the view is open.
 */
export class VersionStore {
  readonly base: GraphBase;
  readonly #folded: (changes: ChangeSet) => void;
  #active = new VersionLayer();
  #sealed: VersionLayer | undefined;
  #epoch: number;
  #baseEpoch: number;
  readonly #pins = new Map<number, number>();

  /** @param folded  is told which changes no view can be older than any more: their deleted ids are free */
  constructor(base: GraphBase, epoch: number, folded: (changes: ChangeSet) => void) {
    this.base = base;
    this.#epoch = epoch;
    this.#baseEpoch = epoch;
    this.#folded = folded;
  }

  /** How many commits there were before now; a view opened now sees exactly those. */
  get epoch(): number {
    return this.#epoch;
  }

  get baseEpoch(): number {
    return this.#baseEpoch;
  }

  get active(): VersionLayer {
    return this.#active;
  }

  get sealed(): VersionLayer | undefined {
    return this.#sealed;
  }

  /** Whether the base arrays alone are the newest committed state. */
  get isFolded(): boolean {
    return this.#active.isEmpty && this.#sealed === undefined;
  }

  /** The epoch of the last commit that changed the node itself, if that is not in the base yet; else 0. */
  lastChangeOfNode(node: number): number {
    return this.#active.nodes.get(node)?.epoch ?? this.#sealed?.nodes.get(node)?.epoch ?? 0;
  }

  lastChangeOfRelationship(relationship: number): number {
    return this.newestOfRelationship(relationship)?.epoch ?? 0;
  }

  newestOfRelationship(relationship: number): RelationshipChange | undefined {
    return this.#active.relationships.get(relationship) ?? this.#sealed?.relationships.get(relationship);
  }

  pin(epoch: number): void {
    this.#pins.set(epoch, (this.#pins.get(epoch) ?? 0) + 1);
  }

  unpin(epoch: number): void {
    const left = (this.#pins.get(epoch) ?? 0) - 1;
    if (left > 0) {
      this.#pins.set(epoch, left);
      return;
    }
    this.#pins.delete(epoch);
    this.#fold();
  }

  /** Makes the changes of a transaction visible to every view opened from now on. */
  publish(changes: ChangeSet): void {
    this.#epoch += 1;
    if (this.#pins.size === 0 && this.isFolded) {
      this.#applyToBase(changes, this.#epoch);
      return;
    }
    this.#active.add(changes, this.#epoch);
    this.#fold();
  }

  /** Counts what was put into the base directly (an import) as a commit; nothing may be pinned. */
  countImport(): void {
    assert(this.#pins.size === 0 && this.isFolded, "nobody reads during an import");
    this.#epoch += 1;
    this.#baseEpoch = this.#epoch;
  }

  #fold(): void {
    const oldestPin = this.#oldestPin();
    if (this.#sealed !== undefined && this.#sealed.lastEpoch <= oldestPin) {
      this.#applyToBase(this.#sealed, this.#sealed.lastEpoch);
      this.#sealed = undefined;
    }
    if (this.#sealed === undefined && !this.#active.isEmpty) {
      const layer = this.#active;
      this.#active = new VersionLayer();
      if (layer.lastEpoch <= oldestPin) {
        this.#applyToBase(layer, layer.lastEpoch);
      } else {
        this.#sealed = layer;
      }
    }
  }

  #applyToBase(changes: ChangeSet, epoch: number): void {
    this.base.apply(changes);
    this.#baseEpoch = epoch;
    this.#folded(changes);
  }

  #oldestPin(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const epoch of this.#pins.keys()) {
      oldest = Math.min(oldest, epoch);
    }
    return oldest;
  }
}
