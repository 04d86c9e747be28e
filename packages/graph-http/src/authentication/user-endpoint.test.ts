import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

let server: TestInterface;

beforeAll(async () => {
  server = await startTestInterface({ password: "secret" });
});
afterAll(() => server.close());

describe("a change of password (graph-http §3)", () => {
  it.each([
    ["hello", "application/json", 400],
    ["hello", "text/plain", 415],
    ["hello", undefined, 415],
    ["[]", "application/json", 400],
    ["[]", "text/plain", 415],
    ["{}", "application/json", 422],
    ['{"password":"secret"}', "text/plain", 422],
    ["password=secret", "application/x-www-form-urlencoded", 422],
  ])("is not made of %s as %s", async (body, contentType, status) => {
    const answer = await fetch(`${server.baseUrl}/user/neo4j/password`, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from("neo4j:secret").toString("base64")}`,
        ...(contentType === undefined ? {} : { "content-type": contentType }),
      },
      body: Buffer.from(body),
    });
    expect(answer.status).toBe(status);
  });
});
