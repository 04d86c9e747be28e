import { type Branch } from "./branch.ts";

/** Whether a traversal may go to a place; asked once for each, in the order of going. */
export type Uniqueness = (branch: Branch) => boolean;

/** `recent` looks back over this many visits when the description doesn't say. */
const DEFAULT_RECENT = 10_000;

/** The rules by name; each traversal makes its own, since they remember (graph-http §7, traversals). */
export const UNIQUENESS_RULES: Readonly<Record<string, (recent: number | undefined) => Uniqueness>> = {
  none: () => () => true,
  node_global: () => unseen((branch) => branch.node),
  relationship_global: () => unseen((branch) => branch.relationship),
  node_level: () => unseenOfDepth((branch) => branch.node),
  relationship_level: () => unseenOfDepth((branch) => branch.relationship),
  node_path: () => (branch) => !onTheWay(branch, (earlier) => earlier.node === branch.node),
  relationship_path: () => (branch) => !onTheWay(branch, (earlier) => earlier.relationship === branch.relationship),
  node_recent: (recent) => notRecently((branch) => branch.node, recent ?? DEFAULT_RECENT),
  relationship_recent: (recent) => notRecently((branch) => branch.relationship, recent ?? DEFAULT_RECENT),
};

function unseen(idOf: (branch: Branch) => number): Uniqueness {
  const seen = new Set<number>();
  return (branch) => {
    const size = seen.size;
    return seen.add(idOf(branch)).size > size;
  };
}

/** Only what was seen as far from the start counts. */
function unseenOfDepth(idOf: (branch: Branch) => number): Uniqueness {
  const levels = new Map<number, Uniqueness>();
  return (branch) => {
    const level = levels.get(branch.depth) ?? unseen(idOf);
    levels.set(branch.depth, level);
    return level(branch);
  };
}

function notRecently(idOf: (branch: Branch) => number, recent: number): Uniqueness {
  // A set keeps the order of insertion: its first element is the oldest.
  const seen = new Set<number>();
  return (branch) => {
    const id = idOf(branch);
    const isNew = !seen.delete(id);
    seen.add(id);
    if (seen.size > recent) {
      const [oldest] = seen;
      seen.delete(oldest ?? -1);
    }
    return isNew;
  };
}

function onTheWay(branch: Branch, matches: (earlier: Branch) => boolean): boolean {
  for (let at = branch.parent; at !== undefined; at = at.parent) {
    if (matches(at)) {
      return true;
    }
  }
  return false;
}
