import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

describe("IS :: TYPE", () => {
  test.each([
    ["date('2020-02-29')", "DATE", "POINT"],
    ["localtime('10:00')", "TIME WITHOUT TIME ZONE", "ZONED TIME"],
    ["time('10:00Z')", "ZONED TIME", "LOCAL TIME"],
    ["localdatetime('2020-02-29T10:00')", "TIMESTAMP WITHOUT TIMEZONE", "DATE"],
    ["datetime('2020-02-29T10:00Z')", "TIMESTAMP WITH TIME ZONE", "LOCAL DATETIME"],
    ["duration('P1D')", "DURATION", "STRING"],
    ["point({x: 1, y: 2})", "POINT", "MAP"],
    ["date('2020-02-29')", "PROPERTY VALUE", "NULL"],
    ["[1, 2]", "PROPERTY VALUE", "LIST<STRING>"],
    ["[1, 'a']", "LIST<INTEGER | STRING>", "PROPERTY VALUE"],
    ["{a: 1}", "ANY MAP", "PROPERTY VALUE"],
    ["[1, null]", "LIST<INTEGER>", "LIST<INTEGER NOT NULL>"],
    ["true", "BOOL NOT NULL", "ANY EDGE"],
    ["1.0", "ANY", "SIGNED INTEGER"],
  ])("%s is %s and not %s", async (value, type, other) => {
    const graph = await TestGraph.open();
    const { rows } = await graph.run(
      `WITH ${value} AS x RETURN x IS :: ${type}, x IS :: ${other}, x IS NOT :: ${other}`,
    );
    expect(rows).toEqual([[true, false, true]]);
  });
});
