import { assert } from "@trefoil/base";
import { type Catalog } from "../indexes/catalog.ts";
import { type EntityStates, indexedEntities } from "../indexes/indexed-values.ts";
import { type IndexedEntity, type ValueIndex } from "../indexes/value-index.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { inSlices } from "../memory/steps.ts";
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
  readonly catalog: Catalog;
  readonly #folded: (changes: ChangeSet) => void;
  readonly #newest: (versions: VersionStore) => EntityStates;
  #active = new VersionLayer();
  #sealed: VersionLayer | undefined;
  #epoch: number;
  #baseEpoch: number;
  /** Of epochs before the present one; and of that, which nearly every view reads at. */
  readonly #pins = new Map<number, number>();
  #pinsOfNewest = 0;
  /** While relationships are being read. */
  #reading: Promise<void> | undefined;

  /**
   * @param newest  the newest committed state of a store of versions, for its indexes
   * @param folded  is told which changes no view can be older than any more: their deleted ids are free
   */
  constructor(
    base: GraphBase,
    epoch: number,
    catalog: Catalog,
    newest: (versions: VersionStore) => EntityStates,
    folded: (changes: ChangeSet) => void,
  ) {
    this.base = base;
    this.catalog = catalog;
    this.#newest = newest;
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
    if (epoch === this.#epoch) {
      this.#pinsOfNewest += 1;
    } else {
      this.#pins.set(epoch, (this.#pins.get(epoch) ?? 0) + 1);
    }
  }

  unpin(epoch: number): void {
    if (epoch === this.#epoch) {
      this.#pinsOfNewest -= 1;
      if (this.#pinsOfNewest === 0) {
        this.#fold();
      }
      return;
    }
    const left = (this.#pins.get(epoch) ?? 0) - 1;
    if (left > 0) {
      this.#pins.set(epoch, left);
      return;
    }
    this.#pins.delete(epoch);
    this.#fold();
  }

  /**
   * Reads the relationships of the base, others having their turn in between; `undefined` when they are there. What is
   * committed meanwhile stays above the base.
   */
  readRelationships(): Promise<void> | undefined {
    if (this.#reading === undefined && !this.base.hasReadRelationships) {
      this.#reading = this.#readPinned();
      // Told to who waits for it, and again to whoever asks for a relationship.
      this.#reading.catch(() => undefined);
    }
    return this.#reading;
  }

  async #readPinned(): Promise<void> {
    const epoch = this.#baseEpoch;
    this.pin(epoch);
    try {
      await inSlices(this.base.readRelationships());
    } finally {
      this.#reading = undefined;
      this.unpin(epoch);
    }
  }

  /** Makes the changes of a transaction visible to every view opened from now on. */
  publish(changes: ChangeSet): void {
    if (!this.base.hasReadRelationships && this.base.needsRelationships(changes)) {
      void this.readRelationships();
    }
    const stale = this.catalog.enter(changes, this.#newest(this));
    if (this.#pinsOfNewest > 0) {
      this.#pins.set(this.#epoch, this.#pinsOfNewest);
      this.#pinsOfNewest = 0;
    }
    this.#epoch += 1;
    if (this.#pins.size === 0 && this.isFolded) {
      this.#applyToBase(changes, this.#epoch);
      this.catalog.forget(stale);
      this.#enterTexts(changes);
      return;
    }
    this.#active.add(changes, this.#epoch, stale);
    this.#enterTexts(changes);
    this.#fold();
  }

  /** The newest committed state, kept as it is until it is released. */
  pinnedNewest(): { readonly epoch: number; readonly states: EntityStates; release(): void } {
    const epoch = this.#epoch;
    this.pin(epoch);
    return {
      epoch,
      states: this.#newest(this),
      release: () => {
        this.unpin(epoch);
      },
    };
  }

  /** The newest committed state, whoever asks. */
  get newest(): EntityStates {
    return this.#newest(this);
  }

  /** Every state that `index` has an entry for. */
  *statesIn(index: ValueIndex): Generator<IndexedEntity, void, void> {
    yield* indexedEntities(this.newest, index.definition.entity, index.ids);
    for (const layer of [this.#active, this.#sealed]) {
      yield* layer?.stale.filter((entry) => entry.index === index) ?? [];
    }
  }

  /** Counts what was put into the base directly (an import) as a commit; nothing may be pinned. */
  countImport(): void {
    assert(this.#pins.size + this.#pinsOfNewest === 0 && this.isFolded, "nobody reads during an import");
    this.#epoch += 1;
    this.#baseEpoch = this.#epoch;
  }

  #fold(): void {
    const oldestPin = this.#oldestPin();
    if (this.#sealed !== undefined && this.#sealed.lastEpoch <= oldestPin) {
      this.#applyLayer(this.#sealed);
      this.#sealed = undefined;
    }
    if (this.#sealed === undefined && !this.#active.isEmpty) {
      const layer = this.#active;
      this.#active = new VersionLayer();
      if (layer.lastEpoch <= oldestPin) {
        this.#applyLayer(layer);
      } else {
        this.#sealed = layer;
      }
    }
  }

  #enterTexts(changes: ChangeSet): void {
    if (this.catalog.hasTexts) {
      this.catalog.enterTexts(changes, this.newest);
    }
  }

  #applyLayer(layer: VersionLayer): void {
    this.#applyToBase(layer, layer.lastEpoch);
    this.catalog.forget(layer.stale);
  }

  #applyToBase(changes: ChangeSet, epoch: number): void {
    this.base.apply(changes);
    this.#baseEpoch = epoch;
    this.#folded(changes);
  }

  #oldestPin(): number {
    let oldest = this.#pinsOfNewest > 0 ? this.#epoch : Number.POSITIVE_INFINITY;
    for (const epoch of this.#pins.keys()) {
      oldest = Math.min(oldest, epoch);
    }
    return oldest;
  }
}
