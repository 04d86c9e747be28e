import { type GraphStore } from "@trefoil/graph-store";

/** What the planner knows about the data: counts as of planning, none of them a promise. */
export interface PlanStatistics {
  nodeCount(): number;
  nodesWithLabel(label: string): number;
  /** Of any of the types; all when there is none. */
  relationships(types: readonly string[]): number;
}

/** The store's counts, looked up by name. */
export function statisticsOf({ statistics, tokens }: Pick<GraphStore, "statistics" | "tokens">): PlanStatistics {
  return {
    nodeCount: () => statistics.nodeCount,
    nodesWithLabel: (label) => {
      const id = tokens.labels.find(label);
      return id < 0 ? 0 : statistics.nodesWithLabel(id);
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
