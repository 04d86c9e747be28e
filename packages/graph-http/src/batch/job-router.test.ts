import { describe, expect, it } from "vitest";
import { createJobRouter, type JobTarget } from "./job-router.ts";

const router = createJobRouter([
  { method: "GET", path: "/db/data/", handle: () => ({ status: 200 }) },
  { method: "GET", path: "/db/data/node/:id", handle: () => ({ status: 200 }) },
]);
const base = "http://localhost:7474";

describe("what a job of a batch calls", () => {
  it.each([
    "node/1",
    "/node/1",
    "//node/1",
    "./node/1",
    "../../db/data/node/1",
    "http://localhost:7474/db/data/node/1",
    "/node/1?x=y",
  ])("%s is the node", (to) => {
    const { parameters, query } = router("GET", to, base) as JobTarget;
    expect(parameters).toEqual({ id: "1" });
    expect(query.get("x")).toBe(to.endsWith("?x=y") ? "y" : null);
  });

  it("has other methods than it is asked for, or is asked for them", () => {
    expect(router("PUT", "/node/1", base)).toBe("refused");
    expect(router("OPTIONS", "/node/1", base)).toBe("allowed");
    expect(router("OPTIONS", "/nope", base)).toBeUndefined();
  });

  it.each(["", "/", "http://localhost:7474/db/data/"])("%j is the service root", (to) => {
    expect(router("GET", to, base)).toBeDefined();
  });

  it.each(["/db/data/node/1", "http://elsewhere/db/data/node/1", "http://localhost:7474/node/1", "/../user/neo4j"])(
    "%s is nothing",
    (to) => {
      expect(router("GET", to, base)).toBeUndefined();
    },
  );
});
