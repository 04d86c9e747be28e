import { type Catalog } from "../indexes/catalog.ts";
import { type IndexEntries } from "../indexes/value-index.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { sampleNodeValues } from "../tables/value-sample.ts";
import { type PropertyValue } from "../values/property-value.ts";

/** Counts of the base, for the planner's estimates: at most some unfolded commits behind. */
export interface StoreStatistics {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  nodesWithLabel(label: number): number;
  relationshipsOfType(type: number): number;
  /** Relationships of `type` that leave (or reach) nodes with `label`. */
  relationshipsAtLabel(label: number, type: number, direction: "out" | "in"): number;
  /** How many nodes (or relationships) have the property. */
  nodesWithProperty(key: number): number;
  relationshipsWithProperty(key: number): number;
  /** A property's values (or `undefined`) at some nodes with the label, or at any: a fair sample of all. */
  sampleNodeValues(label: number | undefined, key: number): readonly (PropertyValue | undefined)[];
  /** How many entries an index has, and how many of them differ; `undefined` when there is no such index. */
  indexEntries(name: string): IndexEntries | undefined;
}

interface CountedStore {
  readonly base: GraphBase;
  readonly versions: { readonly catalog: Catalog };
}

export class BaseStatistics implements StoreStatistics {
  readonly #store: CountedStore;

  /** @param store  asked each time: a failed import makes it another base */
  constructor(store: CountedStore) {
    this.#store = store;
  }

  get #base(): GraphBase {
    return this.#store.base;
  }

  get nodeCount(): number {
    return this.#base.nodes.count;
  }

  get relationshipCount(): number {
    return this.#base.relationshipCounts.count;
  }

  nodesWithLabel(label: number): number {
    return this.#base.nodes.labelCount(label);
  }

  relationshipsOfType(type: number): number {
    return this.#base.relationshipCounts.typeCount(type);
  }

  relationshipsAtLabel(label: number, type: number, direction: "out" | "in"): number {
    return this.#base.labelTypeCounts.get(label, type, direction);
  }

  nodesWithProperty(key: number): number {
    return this.#base.nodeProperties.column(key)?.count ?? 0;
  }

  relationshipsWithProperty(key: number): number {
    return this.#base.relationshipProperties.column(key)?.count ?? 0;
  }

  sampleNodeValues(label: number | undefined, key: number): readonly (PropertyValue | undefined)[] {
    return sampleNodeValues(this.#base, label, key);
  }

  indexEntries(name: string): IndexEntries | undefined {
    return this.#store.versions.catalog.findByName(name);
  }
}
