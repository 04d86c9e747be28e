import { type GraphStore } from "@trefoil/graph-store";
import { type RestRoute } from "./rest-call.ts";

/** Paths that lead to relationships, and to indexes that hold some. */
const LEADS_TO_RELATIONSHIPS =
  /^\/db\/data\/(?:relationship\/:id|index\/(?:relationship|auto)\/|node\/:id\/(?:relationships|degree|path|traverse|paged))/;

/**
 * The same routes; those that ask for relationships wait until a store that was just opened has read them, instead of
 * making everybody wait (GraphStore.readRelationships).
 */
export function afterRelationships(
  routes: readonly RestRoute[],
  store: Pick<GraphStore, "readRelationships">,
): readonly RestRoute[] {
  return routes.map((route) =>
    asksForRelationships(route)
      ? {
          ...route,
          handle: async (call) => {
            await store.readRelationships();
            return route.handle(call);
          },
        }
      : route,
  );
}

/** A node can be deleted when it has none. */
function asksForRelationships({ method, path }: RestRoute): boolean {
  return LEADS_TO_RELATIONSHIPS.test(path) || (method === "DELETE" && path === "/db/data/node/:id");
}
