import { CYPHER_GUIDE } from "./cypher-guide.ts";
import { type Guide } from "./guide.ts";
import { MOVIES_GUIDE } from "./movies-guide.ts";
import { START_GUIDE } from "./start-guide.ts";
import { TRADE_GUIDE } from "./trade-guide.ts";

export const GUIDES: readonly Guide[] = [START_GUIDE, MOVIES_GUIDE, CYPHER_GUIDE, TRADE_GUIDE];

/** Names that users of other consoles will try. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  movie: "movies",
  "movie graph": "movies",
  "movie-graph": "movies",
  films: "movies",
  intro: "start",
  concepts: "cypher",
  northwind: "trade",
  "northwind-graph": "trade",
  "northwind graph": "trade",
};

export function findGuide(name: string): Guide | undefined {
  const wanted = name.trim().toLowerCase();
  const known = OTHER_NAMES[wanted] ?? wanted;
  return GUIDES.find((guide) => guide.name === known);
}
