import { type StatementAnswer } from "../server/run-statement.ts";

const NUMBERS = new Intl.NumberFormat("en");

/** `12 rows · 3 nodes created · 14 ms` */
export function resultSummary(answer: StatementAnswer): string {
  const parts: string[] = [];
  if (answer.columns.length > 0 || answer.stats.size === 0) {
    parts.push(counted(answer.rows.length, "row", "rows"));
  }
  parts.push(...statTexts(answer.stats));
  const took = answer.durationMs;
  parts.push(took < 1000 ? `${Math.max(1, Math.round(took))} ms` : `${(took / 1000).toFixed(2)} s`);
  return parts.join(" · ");
}

/** `3 nodes created`, one text per kind of change. */
export function statTexts(stats: ReadonlyMap<string, number>): readonly string[] {
  return [...stats].map(([name, count]) => {
    const words = STAT_WORDS[name];
    return words === undefined ? `${name}: ${count}` : `${counted(count, words[0], words[1])} ${words[2]}`;
  });
}

function counted(count: number, one: string, many: string): string {
  return `${NUMBERS.format(count)} ${count === 1 ? one : many}`;
}

const STAT_WORDS: Readonly<Record<string, readonly [one: string, many: string, what: string]>> = {
  nodes_created: ["node", "nodes", "created"],
  nodes_deleted: ["node", "nodes", "deleted"],
  properties_set: ["property", "properties", "set"],
  relationships_created: ["relationship", "relationships", "created"],
  relationship_deleted: ["relationship", "relationships", "deleted"],
  labels_added: ["label", "labels", "added"],
  labels_removed: ["label", "labels", "removed"],
  indexes_added: ["index", "indexes", "added"],
  indexes_removed: ["index", "indexes", "removed"],
  constraints_added: ["constraint", "constraints", "added"],
  constraints_removed: ["constraint", "constraints", "removed"],
};
