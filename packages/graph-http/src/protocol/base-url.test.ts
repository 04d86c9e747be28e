import { describe, expect, it } from "vitest";
import { baseUrlOf } from "./base-url.ts";

const request = { encrypted: false, localAddress: "::1", localPort: 7474 };

describe("baseUrlOf", () => {
  it.each([
    [{ host: "db.example:99" }, "http://db.example:99"],
    [{}, "http://[::1]:7474"],
    [{ host: "x:1", "x-forwarded-host": "a.example, b.example" }, "http://a.example:1"],
    [{ host: "x:1", "x-forwarded-host": "a.example:8443", "x-forwarded-proto": "https" }, "https://a.example:8443"],
    [{ host: "x:1", "x-forwarded-proto": "ftp" }, "http://x:1"],
    [{ host: "x:1", "x-forwarded-host": 'evil"><script>' }, "http://x:1"],
  ])("%j is known as %s", (headers, expected) => {
    expect(baseUrlOf({ ...request, headers })).toBe(expected);
  });

  it("says https on an encrypted connection", () => {
    expect(baseUrlOf({ ...request, encrypted: true, headers: { host: "h" } })).toBe("https://h");
  });
});
