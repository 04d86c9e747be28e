import { afterAll, beforeAll, expect, test } from "vitest";
import { TestProvider } from "../testing/test-provider.ts";
import { prefersJson } from "./refuse-on-page.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await TestProvider.start();
});
afterAll(() => provider.stop());

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ["*/*", false],
  ["application/json", true],
  ["application/json, text/html;q=0.9", true],
  ["application/json, text/html", true],
  ["text/html, application/json", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
  ["application/json;q=0, text/html", false],
  ["application/json;q=x", false],
])("Accept: %s prefers JSON: %s", (accept, expected) => expect(prefersJson(accept)).toBe(expected));

test("a refusal without a reply address is a page with status 400, JSON for programs", async () => {
  const url = "/common/oauth2/authorize?client_id=nobody&response_type=code";
  const page = await provider.app.inject({ url });
  expect([page.statusCode, page.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  const { status, body, headers } = await provider.get(url, { accept: "application/json" });
  expect([status, headers["content-type"]]).toEqual([400, "application/json; charset=utf-8"]);
  expect(body).toMatchObject({ error: "unauthorized_client", error_codes: [700016] });
});

test("desktop applications have a page to end at", async () => {
  const { statusCode, body } = await provider.app.inject({ url: "/common/oauth2/nativeclient?code=x" });
  expect([statusCode, body.includes("close this window"), body.includes("code=x")]).toEqual([200, true, false]);
});
