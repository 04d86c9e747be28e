import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { claimsOf, DOMAIN, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let client: Application;
let api2: Application;
const RESOURCE = "https://api.contoso.example/";
const SECRET = "secret of client";

beforeAll(async () => {
  provider = await TestProvider.start();
  client = await provider.createConfidential("client");
  await provider.createApplication("api", {}, [RESOURCE]);
  api2 = await provider.createApplication("api2", { tokenVersion: 2 }, ["api://orders"]);
});
afterAll(() => provider.stop());

const v1 = (fields: Record<string, string> = {}) => ({
  grant_type: "client_credentials",
  client_id: client.appId,
  client_secret: SECRET,
  resource: RESOURCE,
  ...fields,
});
const v2 = (scope: string) => ({
  grant_type: "client_credentials",
  client_id: client.appId,
  client_secret: SECRET,
  scope,
});
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

describe("v1", () => {
  test("gives an access token and nothing else, numbers as strings", async () => {
    const { status, body } = await provider.token(1, v1());
    expect(status).toBe(200);
    const { access_token: token, ...rest } = body;
    const nowSeconds = provider.clock.now() / 1000;
    expect(rest).toEqual({
      token_type: "Bearer",
      expires_in: "3599",
      ext_expires_in: "3599",
      expires_on: String(nowSeconds + 3600),
      not_before: String(nowSeconds - 300),
      resource: RESOURCE,
    });
    const claims = claimsOf(token);
    expect(claims).toEqual({
      aud: RESOURCE,
      iss: `${PUBLIC_URL}/${provider.tenant.id}/`,
      iat: nowSeconds,
      nbf: nowSeconds - 300,
      exp: nowSeconds + 3600,
      appid: client.appId,
      appidacr: "1",
      idp: claims["iss"],
      idtyp: "app",
      oid: client.servicePrincipals.get(provider.tenant.id),
      sub: claims["oid"],
      tid: provider.tenant.id,
      uti: expect.any(String) as string,
      ver: "1.0",
    });
  });

  test("takes the secret from HTTP Basic, form-encoded", async () => {
    const { client_id: _id, client_secret: _secret, ...fields } = v1();
    expect((await provider.token(1, fields, { headers: basic(client.appId, SECRET) })).status).toBe(200);
    const wrong = await provider.token(1, fields, { headers: basic(client.appId, "wrong") });
    expect([wrong.status, wrong.body["error"], wrong.body["error_codes"]]).toEqual([401, "invalid_client", [7000215]]);
    expect(wrong.headers["www-authenticate"]).toMatch(/^Basic /);
    const named = { ...fields, client_id: client.appId.toUpperCase() };
    expect((await provider.token(1, named, { headers: basic(client.appId, SECRET) })).status).toBe(200);
    const twice = await provider.token(1, v1(), { headers: basic(client.appId, SECRET) });
    expect(twice.body["error_codes"]).toEqual([9002313]);
    const broken = await provider.token(1, fields, { headers: { authorization: "Basic %%%" } });
    expect([broken.status, broken.body["error"]]).toEqual([401, "invalid_client"]);
  });

  test("a Basic header without a secret names the client and proves nothing", async () => {
    const { client_id: _id, client_secret: _secret, ...fields } = v1();
    const { status, headers, body } = await provider.token(1, fields, { headers: basic(client.appId, "") });
    expect([status, body["error_codes"]]).toEqual([401, [7000216]]);
    expect(headers["www-authenticate"]).toMatch(/^Basic /);
  });

  test("the tenant must be named", async () => {
    for (const tenant of ["common", "organizations"]) {
      expect((await provider.token(1, v1(), { tenant })).body["error_codes"]).toEqual([50059]);
    }
    expect((await provider.token(1, v1(), { tenant: DOMAIN })).status).toBe(200);
  });

  test.each(["grant_type", "client_id", "resource"])("names the missing %s", async (name) => {
    const { body } = await provider.token(1, v1({ [name]: "" }));
    expect([body["error"], body["error_codes"]]).toEqual(["invalid_request", [900144]]);
    expect(body["error_description"]).toContain(`'${name}'`);
  });
});

describe("v2", () => {
  test("the scope is one resource and /.default; numbers are numbers", async () => {
    const { status, body } = await provider.token(2, v2("api://orders/.default"));
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: "Bearer",
      expires_in: 3599,
      ext_expires_in: 3599,
      access_token: expect.any(String) as string,
    });
    expect(claimsOf(body["access_token"])).toMatchObject({
      aud: api2.appId,
      azp: client.appId,
      azpacr: "1",
      ver: "2.0",
    });
  });

  test("a resource that ends in a slash keeps it in the audience", async () => {
    const { body } = await provider.token(2, v2(`${RESOURCE}/.default`));
    expect(claimsOf(body["access_token"])["aud"]).toBe(RESOURCE);
  });

  test("scopes of OpenID added out of habit are passed over", async () => {
    const { status } = await provider.token(2, v2("openid profile offline_access api://orders/.default"));
    expect(status).toBe(200);
  });

  test.each([
    ["api://orders/Orders.Read", 1002012, "invalid_scope"],
    ["openid", 1002012, "invalid_scope"],
    [".default", 1002012, "invalid_scope"],
    ["api://orders/.default https://api.contoso.example//.default", 70011, "invalid_scope"],
    ["api://nowhere/.default", 500011, "invalid_resource"],
    ["", 900144, "invalid_request"],
  ])("the scope '%s': %i", async (scope, code, error) => {
    const { status, body } = await provider.token(2, v2(scope));
    expect([status, body["error_codes"], body["error"]]).toEqual([400, [code], error]);
  });
});

describe("clients that may not", () => {
  test.each([
    ["a wrong secret", { client_secret: "wrong" }, 7000215, 401, "invalid_client"],
    ["a secret with something after it", { client_secret: `${SECRET} ` }, 7000215, 401, "invalid_client"],
    ["no secret", { client_secret: "" }, 7000216, 401, "invalid_client"],
    ["an unknown client", { client_id: crypto.randomUUID() }, 700016, 400, "unauthorized_client"],
    ["a client id that is no GUID", { client_id: "x".repeat(5000) }, 700016, 400, "unauthorized_client"],
    ["an unknown grant", { grant_type: "implicit" }, 70003, 400, "unsupported_grant_type"],
    ["an unknown resource", { resource: "https://nowhere.example" }, 500011, 400, "invalid_resource"],
  ])("%s", async (_what, fields, code, status, error) => {
    const answer = await provider.token(1, v1(fields));
    expect([answer.status, answer.body["error"], answer.body["error_codes"]]).toEqual([status, error, [code]]);
    expect(answer.headers["www-authenticate"]).toBeUndefined();
  });

  test("a secret outside its period, while another one still works", async () => {
    const both = await provider.createConfidential("both");
    const added = await provider.manage("POST", `/applications/${both.id}/addPassword`, {
      passwordCredential: { displayName: "second", endDateTime: "2030-01-01T00:00:00Z" },
    });
    const text = String(added.body["secretText"]);
    provider.clock.advance(7_200_000);
    const first = await provider.token(1, v1({ client_id: both.appId, client_secret: "secret of both" }));
    expect([first.status, first.body["error_codes"]]).toEqual([401, [7000222]]);
    expect((await provider.token(1, v1({ client_id: both.appId, client_secret: text }))).status).toBe(200);
    await provider.manage("POST", `/applications/${both.id}/removePassword`, { keyId: added.body["keyId"] });
    const removed = await provider.token(1, v1({ client_id: both.appId, client_secret: text }));
    expect(removed.body["error_codes"]).toEqual([7000215]);
    provider.clock.advance(-7_200_000);
  });

  test("a public client sends a secret; a confidential one sends none with a user's password", async () => {
    const publicClient = await provider.createApplication("public", { isPublic: true });
    const answer = await provider.token(1, v1({ client_id: publicClient.appId }));
    expect([answer.status, answer.body["error_codes"]]).toEqual([401, [700025]]);
    const user = await provider.createUser("uma");
    const fields = { grant_type: "password", username: user, password: "x", client_id: client.appId };
    const without = await provider.token(1, { ...fields, resource: RESOURCE });
    expect([without.status, without.body["error_codes"]]).toEqual([401, [7000218]]);
  });

  test("a disabled or deleted client, at once", async () => {
    const passing = await provider.createConfidential("passing");
    const fields = v1({ client_id: passing.appId, client_secret: "secret of passing" });
    expect((await provider.token(1, fields)).status).toBe(200);
    await provider.manage("PATCH", `/applications/${passing.id}`, { isDisabled: true });
    expect((await provider.token(1, fields)).body["error_codes"]).toEqual([7000112]);
    await provider.manage("DELETE", `/applications/${passing.id}`);
    expect((await provider.token(1, fields)).body["error_codes"]).toEqual([700016]);
  });

  test("a client of another tenant", async () => {
    const { services } = provider;
    const fabrikam = await services.tenants.create({ displayName: "Fabrikam", domain: "fabrikam.example" });
    const answer = await provider.token(1, v1(), { tenant: fabrikam.id });
    expect(answer.body["error_codes"]).toEqual([700016]);
  });
});
