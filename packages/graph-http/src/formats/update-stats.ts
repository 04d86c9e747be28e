import { type JsonValue } from "../json/json-reader.ts";

/** What a statement changed. The schema counts are there for statements that change the schema. */
export interface StatementCounts {
  readonly nodesCreated: number;
  readonly nodesDeleted: number;
  readonly relationshipsCreated: number;
  readonly relationshipsDeleted: number;
  readonly propertiesSet: number;
  readonly labelsAdded: number;
  readonly labelsRemoved: number;
  readonly indexesAdded?: number | undefined;
  readonly indexesRemoved?: number | undefined;
  readonly constraintsAdded?: number | undefined;
  readonly constraintsRemoved?: number | undefined;
}

/** The `stats` of a result. `relationship_deleted` is singular on the wire (graph-http §14 point 1). */
export function updateStats(counts: StatementCounts): ReadonlyMap<string, JsonValue> {
  const stats = new Map<string, JsonValue>([["contains_updates", false]]);
  let total = 0;
  for (const [name, key] of STATS) {
    const count = counts[key] ?? 0;
    stats.set(name, count);
    total += count;
  }
  return stats.set("contains_updates", total > 0);
}

const STATS: readonly (readonly [name: string, key: keyof StatementCounts])[] = [
  ["nodes_created", "nodesCreated"],
  ["nodes_deleted", "nodesDeleted"],
  ["properties_set", "propertiesSet"],
  ["relationships_created", "relationshipsCreated"],
  ["relationship_deleted", "relationshipsDeleted"],
  ["labels_added", "labelsAdded"],
  ["labels_removed", "labelsRemoved"],
  ["indexes_added", "indexesAdded"],
  ["indexes_removed", "indexesRemoved"],
  ["constraints_added", "constraintsAdded"],
  ["constraints_removed", "constraintsRemoved"],
];
