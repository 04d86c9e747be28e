import { type GraphServer } from "../server/graph-server.ts";
import { runStatement, type StatementAnswer } from "../server/run-statement.ts";

/** `{name}` is a parameter in every language mode of the server. */

/** Up to `limit` relationships of a node, with the nodes at their other ends. */
export function readNeighbours(server: GraphServer, id: string, limit: number): Promise<StatementAnswer> {
  return runStatement(server, {
    statement: "MATCH (a)-[r]-(b) WHERE id(a) = {id} RETURN r, b LIMIT {limit}",
    parameters: new Map([
      ["id", id],
      ["limit", String(limit)],
    ]),
  });
}

/** Relationships among given nodes. */
export function readLinksBetween(
  server: GraphServer,
  ids: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<StatementAnswer> {
  return runStatement(server, {
    statement: "MATCH (a)-[r]->(b) WHERE id(a) IN {ids} AND id(b) IN {ids} RETURN r LIMIT {limit}",
    parameters: new Map([
      ["ids", `[${ids.join(",")}]`],
      ["limit", String(limit)],
    ]),
    signal,
  });
}
