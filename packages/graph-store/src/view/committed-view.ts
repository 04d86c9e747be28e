import { type ChangeSet } from "../versions/changes.ts";
import { type VersionStore } from "../versions/version-store.ts";
import { GraphView, type ViewOwner } from "./graph-view.ts";

const NOTHING: ReadonlyMap<number, never> = new Map<number, never>();

/** Nobody: has written nothing and holds no lock. */
const NOBODY: ViewOwner = {
  writes: { nodes: NOTHING, relationships: NOTHING, adjacency: NOTHING },
  isUntouched: true,
  seesNewestOfLocked: false,
  holdsNode: () => false,
  holdsRelationship: () => false,
  collectOwn: () => false,
};

/**
 * The committed state as of `epoch`, which is pinned or the newest one: then the view is valid until the next commit.
 *
 * @param changes  that are to come on top of it
 */
export function committedView(versions: VersionStore, epoch: number = versions.epoch, changes?: ChangeSet): GraphView {
  const limits = { nodes: Number.MAX_SAFE_INTEGER, relationships: Number.MAX_SAFE_INTEGER };
  const owner = changes === undefined ? NOBODY : { ...NOBODY, writes: changes, isUntouched: false };
  return new GraphView(versions, owner, limits, epoch);
}
