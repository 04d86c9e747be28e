import { type RestRoute } from "../rest/rest-call.ts";
import { AUTO_INDEX_ROUTES } from "./auto-index-endpoints.ts";
import { entryRoutes } from "./entry-endpoints.ts";
import { indexRoutes } from "./index-endpoints.ts";
import { NODE_KIND, RELATIONSHIP_KIND } from "./index-kind.ts";
import { searchRoutes } from "./search-endpoints.ts";

/** Legacy indexes of nodes and of relationships, and the automatic ones (graph-http §7, graph-measured). */
export const LEGACY_INDEX_ROUTES: readonly RestRoute[] = [
  ...[NODE_KIND, RELATIONSHIP_KIND].flatMap((kind) => {
    const base = `/db/data/index/${kind.entity}`;
    return [...indexRoutes(kind, base), ...searchRoutes(kind, base), ...entryRoutes(kind, base)];
  }),
  ...AUTO_INDEX_ROUTES,
];
