import { describe, expect, it } from "vitest";
import { isAllowedHost } from "./host-guard.ts";

describe("isAllowedHost (rulings, Graph 8)", () => {
  it.each([
    [{ host: "localhost:7474" }, [], true],
    [{ host: "127.0.0.1:7474", origin: "http://localhost:3000" }, [], true],
    [{ host: "evil.example" }, [], false],
    [{ host: "localhost:7474", origin: "https://evil.example" }, [], false],
    [{ host: "localhost:7474", origin: "null" }, [], false],
    [{ host: "db.example:7474" }, ["db.example"], true],
    [{ host: "other.example", origin: "https://x.example" }, ["*"], true],
  ])("%j with %j: %s", (headers, allowed, expected) => {
    expect(isAllowedHost(headers, allowed)).toBe(expected);
  });
});
