import { type Branch, startBranch } from "./branch.ts";
import { type Expander } from "./expander.ts";
import { type Uniqueness } from "./uniqueness.ts";

export interface Traversal {
  readonly start: number;
  readonly order: "depth_first" | "breadth_first";
  readonly uniqueness: Uniqueness;
  readonly expand: Expander;
  /** Relationships from the start; beyond it nothing is visited. */
  readonly maximumDepth: number;
  /** Whether the traversal goes no further than this place. */
  readonly prunes: (branch: Branch) => boolean;
  readonly includes: (branch: Branch) => boolean;
}

/**
 * The places a traversal includes, in its order, made as they are asked for. `undefined` stands for a place that was
 * visited and not included, so that whoever asks can let others run in between.
 */
export function* traverse(traversal: Traversal): Generator<Branch | undefined, void, undefined> {
  const { order, includes } = traversal;
  const start = startBranch(traversal.start);
  traversal.uniqueness(start);
  yield includes(start) ? start : undefined;
  const waiting: Iterator<Branch>[] = [branchesFrom(start, traversal)];
  while (waiting.length > 0) {
    const at = order === "depth_first" ? waiting.length - 1 : 0;
    const next = waiting[at]?.next();
    if (next === undefined || next.done === true) {
      waiting.splice(at, 1);
      continue;
    }
    waiting.push(branchesFrom(next.value, traversal));
    yield includes(next.value) ? next.value : undefined;
  }
}

function* branchesFrom(branch: Branch, traversal: Traversal): Generator<Branch, void, undefined> {
  if (branch.depth >= traversal.maximumDepth || traversal.prunes(branch)) {
    return;
  }
  for (const { relationship, node } of traversal.expand(branch.node)) {
    // Nobody goes straight back by the relationship he came by, whatever the uniqueness.
    if (relationship !== branch.relationship) {
      const next: Branch = { parent: branch, node, relationship, depth: branch.depth + 1 };
      if (traversal.uniqueness(next)) {
        yield next;
      }
    }
  }
}
