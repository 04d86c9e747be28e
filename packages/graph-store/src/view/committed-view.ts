import { type VersionStore } from "../versions/version-store.ts";
import { GraphView, type ViewOwner } from "./graph-view.ts";

const NOTHING: ReadonlyMap<number, never> = new Map<number, never>();

/** Nobody: has written nothing and holds no lock. */
const NOBODY: ViewOwner = {
  writes: { nodes: NOTHING, relationships: NOTHING, adjacency: NOTHING },
  isUntouched: true,
  holdsNode: () => false,
  holdsRelationship: () => false,
  collectOwn: () => false,
};

/** The newest committed state, valid until the next commit. */
export function committedView(versions: VersionStore): GraphView {
  const limits = { nodes: Number.MAX_SAFE_INTEGER, relationships: Number.MAX_SAFE_INTEGER };
  return new GraphView(versions, NOBODY, limits, versions.epoch);
}
