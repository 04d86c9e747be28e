import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

/** One by one, two types both ways, one to itself; the second is gone. */
const SET_UP = [
  "CREATE (:Hub {i: 0})",
  ...[1, 2, 3, 4, 5, 6].map((i) =>
    i % 2 === 0
      ? `MATCH (h:Hub) CREATE (h)-[:R {i: ${i}}]->(:Spoke {i: ${i}})`
      : `MATCH (h:Hub) CREATE (h)<-[:S {i: ${i}}]-(:Spoke {i: ${i}})`,
  ),
  "MATCH (h:Hub) CREATE (h)-[:R {i: 7}]->(h)",
  "MATCH (:Hub)-[r {i: 2}]->() DELETE r",
];

/** As a 2.3 server has them (measured). */
describe("relationships of a node in 2.3", () => {
  test.each([
    ["MATCH (h:Hub)-[r]-(o) RETURN o.i", [0, 6, 5, 4, 3, 1]],
    ["MATCH (h:Hub)-[r]->(o) RETURN o.i", [0, 6, 4]],
    ["MATCH (h:Hub)-[r:R]->(o) RETURN o.i", [0, 6, 4]],
    ["MATCH (h:Hub)<-[r]-(o) RETURN o.i", [0, 5, 3, 1]],
    ["MATCH (h:Hub)-[r:S|R]-(o) RETURN o.i", [0, 6, 5, 4, 3, 1]],
    ["MATCH (h:Hub)-[*1..1]-(o) RETURN o.i", [1, 3, 4, 5, 6, 0]],
  ])("%s", async (statement, expected) => {
    const graph = await TestGraph.open(...SET_UP);
    const { rows } = await graph.run(`CYPHER 2.3 ${statement}`);
    expect(rows.map(([first]) => first)).toEqual(expected);
    // The same where some of it lies above the base.
    graph.store.begin({ isolation: "snapshot" }).openView();
    await graph.run("MATCH (h:Hub) CREATE (h)-[:R {i: 8}]->(h)");
    const layered = await graph.run(`CYPHER 2.3 ${statement.replace("RETURN", "WITH o WHERE id(o) > 0 RETURN")}`);
    expect(layered.rows.map(([first]) => first)).toEqual(expected.filter((i) => i !== 0));
    await graph.store.close();
  });
});
