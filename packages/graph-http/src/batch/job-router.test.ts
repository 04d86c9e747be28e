import { describe, expect, it } from "vitest";
import { createJobRouter } from "./job-router.ts";

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
    const target = router("GET", to, base);
    expect(target?.parameters).toEqual({ id: "1" });
    expect(target?.query.get("x")).toBe(to.endsWith("?x=y") ? "y" : null);
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
