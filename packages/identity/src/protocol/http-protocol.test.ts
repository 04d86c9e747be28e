import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_TOKEN, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";
import { parseFormBody } from "./form-body.ts";
import { IdentityError } from "./identity-error.ts";

let provider: TestProvider;
let path: string;
beforeAll(async () => {
  provider = await TestProvider.start();
  path = `/${provider.tenant.id}/oauth2/token`;
});
afterAll(() => provider.stop());

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("an error", () => {
  test("has all members, in body and headers alike", async () => {
    const { status, headers, body } = await provider.post(path, "grant_type=nonsense");
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual([
      "error",
      "error_description",
      "error_codes",
      "timestamp",
      "trace_id",
      "correlation_id",
      "error_uri",
    ]);
    expect(body).toMatchObject({
      error: "unsupported_grant_type",
      error_codes: [70003],
      timestamp: "2026-11-20 12:00:00Z",
      trace_id: expect.stringMatching(GUID) as string,
      correlation_id: expect.stringMatching(GUID) as string,
      error_uri: `${PUBLIC_URL}/error?code=70003`,
    });
    expect(body["error_description"]).toBe(
      [
        "STS70003: The grant type 'nonsense' is not supported.",
        `Trace ID: ${String(body["trace_id"])}`,
        `Correlation ID: ${String(body["correlation_id"])}`,
        "Timestamp: 2026-11-20 12:00:00Z",
      ].join("\r\n"),
    );
    expect(headers["x-ms-request-id"]).toBe(body["trace_id"]);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["cache-control"]).toBe("no-store, no-cache");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["client-request-id"]).toBeUndefined();
  });

  test("repeats the caller's correlation id from header or query, if it is one", async () => {
    const id = crypto.randomUUID();
    const byHeader = await provider.post(path, "", { "client-request-id": id, "return-client-request-id": "true" });
    expect([byHeader.body["correlation_id"], byHeader.headers["client-request-id"]]).toEqual([id, id]);
    const byQuery = await provider.post(`${path}?client-request-id=${id}`, "");
    expect(byQuery.body["correlation_id"]).toBe(id);
    const invalid = await provider.post(path, "", { "client-request-id": "<script>" });
    expect(invalid.body["correlation_id"]).toMatch(GUID);
    expect(invalid.headers["client-request-id"]).toBeUndefined();
  });

  test("returns the correlation id to whoever asks for that, wherever it comes from", async () => {
    const asks = { "return-client-request-id": "true" };
    const id = crypto.randomUUID();
    const byForm = await provider.post(path, `client-request-id=${id}`, asks);
    expect([byForm.body["correlation_id"], byForm.headers["client-request-id"]]).toEqual([id, id]);
    const notAsked = await provider.post(path, `client-request-id=${id}`);
    expect([notAsked.body["correlation_id"], notAsked.headers["client-request-id"]]).toEqual([id, undefined]);
    const ours = await provider.post(path, "", { ...asks, "client-request-id": "no GUID" });
    expect(ours.body["correlation_id"]).toMatch(GUID);
    expect(ours.headers["client-request-id"]).toBe(ours.body["correlation_id"]);
  });

  test("explains itself on a page", async () => {
    const response = await provider.app.inject({ url: "/error?code=50126" });
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(response.body).toContain("STS50126");
    expect((await provider.app.inject({ url: "/error" })).body).toContain("STS90002");
    expect((await provider.app.inject({ url: "/error?code=<script>" })).body).not.toContain("<script>");
  });

  test("has the letters of the setting before its number", async () => {
    const other = await TestProvider.start({ codePrefix: "AADSTS" });
    const { body } = await other.post(`/${other.tenant.id}/oauth2/token`, "");
    expect(body["error_description"]).toMatch(/^AADSTS900144: /);
    await other.stop();
  });

  test("never repeats line breaks or markup-breaking controls of a request", async () => {
    const { body } = await provider.post(path, "grant_type=a%0D%0AInjected%3A+1%00".replace("%00", "%01"));
    expect(String(body["error_description"]).split("\r\n")[0]).toBe(
      "STS70003: The grant type 'a??Injected: 1?' is not supported.",
    );
  });
});

describe("a request that is", () => {
  test.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"] as const)("a %s", async (method) => {
    const response = await provider.app.inject({ method, url: path });
    expect(response.statusCode).toBe(405);
    expect(response.headers["allow"]).toBe("POST");
  });

  // None that the framework has routes for; its types don't know them either.
  test.each(["PROPFIND", "LOCK", "SEARCH"])("a %s", async (unknown) => {
    const method = unknown as "GET";
    const response = await provider.app.inject({ method, url: path.toUpperCase() });
    expect([response.statusCode, response.headers["allow"]]).toEqual([405, "POST"]);
    expect(response.json()).toMatchObject({ error: "invalid_request", error_codes: [900561] });
    expect(response.headers["x-ms-request-id"]).toBe(response.json<{ trace_id: string }>().trace_id);
    const elsewhere = await provider.app.inject({ method, url: `${path}/more` });
    expect([elsewhere.statusCode, elsewhere.headers["allow"]]).toEqual([404, undefined]);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const users = await provider.app.inject({ method, url: "/v1.0/users/a@b.example?x", headers });
    expect([users.statusCode, users.headers["allow"]]).toEqual([405, "GET, HEAD, PATCH, DELETE"]);
    expect(users.json()).toMatchObject({ error: { code: "Request_MethodNotAllowed" } });
    expect((await provider.app.inject({ method, url: "/v1.0/nothing", headers })).json()).toMatchObject({
      error: { code: "Request_ResourceNotFound" },
    });
  });

  test("a GET says so in the interface's shape", async () => {
    const { status, body } = await provider.get(path);
    expect([status, body["error"], body["error_codes"]]).toEqual([405, "invalid_request", [900561]]);
  });

  test.each([
    ["for an unknown tenant", "/nowhere.example/oauth2/token", "grant_type=password", {}, 90002],
    ["JSON", undefined, '{"grant_type":"password"}', { "content-type": "application/json" }, 9002313],
    ["empty", undefined, "", {}, 900144],
    ["badly encoded", undefined, "grant_type=%ZZ", {}, 9002313],
    ["full of NULs", undefined, "grant_type=a%00", {}, 9002313],
    ["of too many fields", undefined, Array.from({ length: 101 }, (_, i) => `a${i}=1`).join("&"), {}, 9002313],
  ])("%s", async (_what, url, payload, headers, code) => {
    const answer = await provider.post(url ?? path, payload, headers as Record<string, string>);
    expect([answer.status, answer.body["error"], answer.body["error_codes"]]).toEqual([400, "invalid_request", [code]]);
  });

  test.each([
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded;charset=utf-8",
    "APPLICATION/x-www-form-urlencoded ; charset=UTF-8",
  ])("%s", async (type) => {
    const { body } = await provider.post(path, "grant_type=x", { "content-type": type });
    expect(body["error_codes"]).toEqual([70003]);
  });

  test("without a content type", async () => {
    const response = await provider.app.inject({ method: "POST", url: path, payload: "grant_type=x" });
    expect(response.json()).toMatchObject({ error_codes: [70003] });
  });

  test("too long", async () => {
    const { status, body } = await provider.post(path, `grant_type=${"a".repeat(140_000)}`);
    expect([status, body["error_codes"]]).toEqual([413, [9002313]]);
  });

  test.each([
    ["DELETE", "/oidc/userinfo", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/common/userrealm/x", "GET, HEAD"],
    ["PUT", "/device", "GET, HEAD, POST"],
    ["PATCH", "/common/oauth2/logout", "GET, HEAD, POST"],
  ] as const)("a %s %s", async (method, url, allow) => {
    const response = await provider.app.inject({ method, url });
    expect([response.statusCode, response.headers["allow"]]).toEqual([405, allow]);
    expect(response.json()).toMatchObject({ error_codes: [900561] });
  });

  test.each([
    ["too long", `/${"x".repeat(500)}/oauth2/token`, 414],
    ["badly encoded", "/%zz/oauth2/token", 400],
  ])("at an address that is %s", async (_what, url, status) => {
    const answer = await provider.post(url, "");
    expect([answer.status, answer.body["error"], answer.body["error_codes"]]).toEqual([
      status,
      "invalid_request",
      [9002313],
    ]);
    expect(answer.headers["x-ms-request-id"]).toBe(answer.body["trace_id"]);
  });

  test("at an address that isn't served", async () => {
    expect((await provider.get("/nothing/here")).status).toBe(404);
  });
});

test("any fields come back from a form as they went in", () => {
  const name = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !text.includes("\0"));
  const value = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 20 }), (fields) => {
      const form = parseFormBody("application/x-www-form-urlencoded", new URLSearchParams(fields).toString());
      for (const [key, expected] of Object.entries(fields)) {
        expect(form.find(key)).toBe(expected === "" ? undefined : expected);
      }
    }),
  );
});

test("any bytes are either a form or a refusal", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (body) => {
      const outcome = attempt(() => parseFormBody("application/x-www-form-urlencoded", body));
      expect(outcome === undefined || outcome instanceof IdentityError).toBe(true);
    }),
  );
});

function attempt(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
