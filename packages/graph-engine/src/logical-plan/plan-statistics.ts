import { type GraphStore, isValueIndex, type PropertyValue } from "@trefoil/graph-store";

/** An index over nodes as the planner sees it. */
export interface IndexStatistics {
  readonly properties: readonly string[];
  readonly unique: boolean;
  /** How many entities are in it, and how many different values they have. */
  readonly size: number;
  readonly distinct: number;
}

/** What the planner knows about the data: counts as of planning, none of them a promise. */
export interface PlanStatistics {
  nodeCount(): number;
  nodesWithLabel(label: string): number;
  /** Of any of the types; all when there is none. */
  relationships(types: readonly string[]): number;
  /** Those of them that leave (or reach) nodes with the label. */
  relationshipsAt(label: string, types: readonly string[], direction: "out" | "in"): number;
  /** A property's values (or `undefined`) at some nodes with the label, or at any: a fair sample of all. */
  sample(label: string | undefined, key: string): readonly (PropertyValue | undefined)[];
  /** Indexes over nodes with the label. */
  indexesOf(label: string): readonly IndexStatistics[];
  /** Another number after every change of the schema. */
  schemaVersion(): number;
}

/** The store's counts, looked up by name. */
export function statisticsOf(store: GraphStore): PlanStatistics {
  const { statistics, tokens } = store;
  return {
    indexesOf: (label) =>
      store.schema.indexes
        .filter((index) => index.entity === "node" && index.tokens[0] === label && isValueIndex(index))
        .map(({ name, properties, constraint }) => {
          const entries = statistics.indexEntries(name);
          const { size = 0, distinct = 0 } = entries ?? {};
          return { properties, unique: constraint !== undefined, size, distinct };
        }),
    schemaVersion: () => store.schemaVersion,
    nodeCount: () => statistics.nodeCount,
    nodesWithLabel: (label) => {
      const id = tokens.labels.find(label);
      return id < 0 ? 0 : statistics.nodesWithLabel(id);
    },
    relationshipsAt: (label, types, direction) => {
      const id = tokens.labels.find(label);
      const count = (type: number): number => (type < 0 ? 0 : statistics.relationshipsAtLabel(id, type, direction));
      const ids =
        types.length === 0
          ? Array.from({ length: tokens.relationshipTypes.size }, (_unused, type) => type)
          : types.map((type) => tokens.relationshipTypes.find(type));
      return id < 0 ? 0 : ids.reduce((sum, type) => sum + count(type), 0);
    },
    sample: (label, key) => {
      const keyId = tokens.propertyKeys.find(key);
      const labelId = label === undefined ? undefined : tokens.labels.find(label);
      return keyId < 0 || labelId === -1 ? [] : statistics.sampleNodeValues(labelId, keyId);
    },
    relationships: (types) => {
      if (types.length === 0) {
        return statistics.relationshipCount;
      }
      const ids = types.map((type) => tokens.relationshipTypes.find(type)).filter((id) => id >= 0);
      return ids.reduce((sum, id) => sum + statistics.relationshipsOfType(id), 0);
    },
  };
}
