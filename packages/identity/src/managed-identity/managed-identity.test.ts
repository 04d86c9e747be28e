import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { postgresServer } from "../testing/test-database.ts";
import { claimsOf, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let api: Application;
let other: Application;
let machine: Record<string, string>;
beforeAll(async () => {
  provider = await TestProvider.start();
  api = await provider.createApplication("api", {}, ["api://api"]);
  other = await provider.createApplication("other", { tokenVersion: 2 });
  machine = await create("machine");
});
afterAll(() => provider.stop());

async function create(name: string, resources: readonly string[] = []): Promise<Record<string, string>> {
  const { status, body } = await provider.manage("POST", "/managedIdentities", { name, resources });
  expect(status).toBe(201);
  return body as Record<string, string>;
}

const ask = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  provider.get(`/msi/token?${new URLSearchParams({ "api-version": "2019-08-01", ...query }).toString()}`, headers);
const withHeader = (identity: Record<string, string>, query: Record<string, string>) =>
  ask(query, { "x-identity-header": identity["identityHeader"] ?? "" });

describe("hosted applications", () => {
  test("get a token for a resource by its client id", async () => {
    const { status, body, headers } = await withHeader(machine, { resource: api.appId });
    expect([status, headers["cache-control"]]).toEqual([200, "no-store, no-cache"]);
    const claims = claimsOf(body["access_token"]);
    expect(claims).toMatchObject({
      aud: api.appId,
      iss: `${PUBLIC_URL}/${provider.tenant.id}/`,
      appid: machine["clientId"],
      appidacr: "2",
      oid: machine["principalId"],
      sub: machine["principalId"],
      idtyp: "app",
      ver: "1.0",
    });
    expect(body).toMatchObject({
      client_id: machine["clientId"],
      resource: api.appId,
      token_type: "Bearer",
      expires_on: String(claims["exp"]),
      not_before: String(claims["nbf"]),
    });
  });

  test("get the version that the resource wants, and its roles", async () => {
    const { body } = await withHeader(machine, { resource: other.appId });
    expect(claimsOf(body["access_token"])).toMatchObject({ ver: "2.0", aud: other.appId, azp: machine["clientId"] });
    const role = { id: "0b0a3b1c-7c7a-4a53-9c34-3b0f6f4d2a10", value: "Worker" };
    await provider.manage("PATCH", `/applications/${api.id}`, { appRoles: [role] });
    const resource = (await provider.manage("GET", `/servicePrincipals/${api.appId}`)).body;
    const assigned = await provider.manage("POST", `/servicePrincipals/${machine["principalId"]}/appRoleAssignments`, {
      resourceId: resource["id"],
      appRoleId: role.id,
    });
    expect(assigned.status).toBe(201);
    const again = await withHeader(machine, { resource: "api://api" });
    expect(claimsOf(again.body["access_token"])).toMatchObject({ aud: "api://api", roles: ["Worker"] });
  });

  test("of 2017 send another header and get the time as text", async () => {
    const query = { "api-version": "2017-09-01", resource: api.appId, clientid: machine["clientId"] ?? "" };
    const { status, body } = await ask(query, { secret: machine["identityHeader"] ?? "" });
    expect([status, body["expires_on"]]).toEqual([200, "11/20/2026 1:00:00 PM +00:00"]);
    expect((await ask(query, { "x-identity-header": machine["identityHeader"] ?? "" })).status).toBe(401);
  });

  test.each(["client_id", "principal_id", "object_id", "mi_res_id"])("may name themselves by %s", async (name) => {
    const { clientId = "", principalId = "" } = machine;
    const value = name === "client_id" ? clientId : name === "mi_res_id" ? "/identities/machine" : principalId;
    expect((await withHeader(machine, { resource: api.appId, [name]: value })).status).toBe(200);
    expect((await withHeader(machine, { resource: api.appId, [name]: other.appId })).status).toBe(400);
  });

  test("get nothing without the header, a resource, a known version", async () => {
    const refused = async (answer: ReturnType<typeof ask>) => {
      const { status, body } = await answer;
      expect(body).toEqual({ statusCode: status, message: expect.any(String), correlationId: expect.any(String) });
      return status;
    };
    expect(await refused(ask({ resource: api.appId }))).toBe(401);
    expect(await refused(ask({ resource: api.appId }, { "x-identity-header": "wrong" }))).toBe(401);
    expect(await refused(withHeader(machine, {}))).toBe(400);
    expect(await refused(withHeader(machine, { resource: "api://nothing" }))).toBe(400);
    expect(await refused(withHeader(machine, { resource: api.appId, "api-version": "1999-01-01" }))).toBe(400);
    expect(await refused(withHeader(machine, { resource: api.appId, "api-version": "__proto__" }))).toBe(400);
    expect((await provider.post("/msi/token", "")).status).toBe(405);
  });

  test("reach only the resources they were made for", async () => {
    const narrow = await create("narrow", ["api://api"]);
    expect(narrow["resources"]).toEqual([api.appId]);
    expect((await withHeader(narrow, { resource: api.appId })).status).toBe(200);
    expect((await withHeader(narrow, { resource: other.appId })).status).toBe(403);
  });
});

describe("the instance metadata endpoint", () => {
  const path = "/metadata/identity/oauth2/token";
  const query = () => `?api-version=2018-02-01&resource=${api.appId}`;

  test("gives tokens of one identity, every value as text", async () => {
    for (const host of ["localhost:8400", "127.0.0.1", "169.254.169.254"]) {
      const { status, body } = await provider.get(path + query(), { metadata: "true", host });
      expect(status).toBe(200);
      expect(new Set(Object.values(body).map((value) => typeof value))).toEqual(new Set(["string"]));
      expect(body).toMatchObject({ client_id: machine["clientId"], expires_in: "3600", refresh_token: "" });
      expect(claimsOf(body["access_token"])["oid"]).toBe(machine["principalId"]);
    }
  });

  test("gives them with a second slash before the path", async () => {
    const { status } = await provider.get(`/${path}${query()}`, { metadata: "true", host: "localhost:8400" });
    expect(status).toBe(200);
  });

  test.each<[string, Record<string, string>, string, number]>([
    ["without the header", {}, "bad_request_102", 400],
    ["through a proxy", { metadata: "true", "x-forwarded-for": "10.0.0.1" }, "unknown_source", 401],
    ["under a foreign name", { metadata: "true", host: "evil.example" }, "unknown_source", 401],
  ])("refuses requests %s", async (_what, headers, error, status) => {
    const answer = await provider.get(path + query(), headers);
    expect([answer.status, answer.body]).toEqual([status, { error, error_description: expect.any(String) }]);
  });

  test("refuses what lacks version or resource, or means another identity", async () => {
    const status = async (parameters: string) =>
      (await provider.get(`${path}?${parameters}`, { metadata: "true" })).body["error"];
    expect(await status(`resource=${api.appId}`)).toBe("invalid_request");
    expect(await status("api-version=2018-02-01")).toBe("invalid_resource");
    expect(await status("api-version=2018-02-01&resource=api://nothing")).toBe("invalid_resource");
    expect(await status(`api-version=2018-02-01&resource=${api.appId}&client_id=${api.appId}`)).toBe("invalid_request");
  });
});

describe("management", () => {
  test.skipIf(postgresServer !== undefined)("shows the secret once and keeps only its digest", async () => {
    const identity = await create("secretive");
    expect(identity["identityHeader"]).toMatch(/^[\w-]{43}$/);
    const { body } = await provider.manage("GET", "/managedIdentities/secretive");
    expect(body).not.toHaveProperty("identityHeader");
    const { readFileSync } = await import("node:fs");
    const files = ["identity.db", "identity.db-wal"].map((name) => readFileSync(`${provider.folder}/${name}`));
    expect(Buffer.concat(files).toString("latin1")).not.toContain(identity["identityHeader"]);
  });

  test("keeps them apart from applications, which they are not", async () => {
    const names = ((await provider.manage("GET", "/applications")).body["value"] as { displayName: string }[]).map(
      (each) => each.displayName,
    );
    expect(names).not.toContain("machine");
    const path = `/applications/${machine["clientId"]}`;
    expect((await provider.manage("GET", path)).status).toBe(404);
    expect((await provider.manage("POST", `${path}/addPassword`, {})).status).toBe(404);
    const principal = await provider.manage("GET", `/servicePrincipals/${machine["clientId"]}`);
    expect(principal.body).toMatchObject({ servicePrincipalType: "ManagedIdentity" });
  });

  test("refuses a taken name and leaves nothing behind; unknown resources; strange names", async () => {
    const principals = async () =>
      ((await provider.manage("GET", "/servicePrincipals")).body["value"] as object[]).length;
    const before = await principals();
    expect((await provider.manage("POST", "/managedIdentities", { name: "machine" })).status).toBe(409);
    const unknown = { name: "x", resources: ["api://nothing"] };
    expect((await provider.manage("POST", "/managedIdentities", unknown)).status).toBe(400);
    expect((await provider.manage("POST", "/managedIdentities", { name: "a/b" })).status).toBe(400);
    expect(await principals()).toBe(before);
  });

  test("disables them by their service principal", async () => {
    const identity = await create("paused");
    const path = `/servicePrincipals/${identity["clientId"]}`;
    await provider.manage("PATCH", path, { accountEnabled: false });
    expect((await withHeader(identity, { resource: api.appId })).status).toBe(403);
    await provider.manage("PATCH", path, { accountEnabled: true });
    expect((await withHeader(identity, { resource: api.appId })).status).toBe(200);
  });

  test("deletes them, and their header is good for nothing at once", async () => {
    const identity = await create("short-lived");
    expect((await withHeader(identity, { resource: api.appId })).status).toBe(200);
    expect((await provider.manage("DELETE", "/managedIdentities/short-lived")).status).toBe(204);
    expect((await withHeader(identity, { resource: api.appId })).status).toBe(401);
    expect((await provider.manage("DELETE", "/managedIdentities/short-lived")).status).toBe(404);
  });
});
