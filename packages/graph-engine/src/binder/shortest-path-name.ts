import { type PathSelector } from "@trefoil/cypher";

/** What a search for shortest paths is called in messages of 2.3. */
export function shortestPathName(selector: PathSelector | undefined): string {
  return selector?.kind === "ShortestPathFunction" && selector.all ? "allShortestPaths" : "shortestPath";
}
