import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClientIdentity } from "../testing/client-certificates.ts";
import { DOMAIN, PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await TestProvider.start();
});
afterAll(() => provider.stop());

test.each(["/applications", "/users", "/tenants", "/organization", "/nothing"])(
  "%s needs an administrator",
  async (path) => {
    for (const headers of [{}, { authorization: "Bearer wrong" }] as Record<string, string>[]) {
      const answer = await provider.get(`/v1.0${path}`, headers);
      expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.body["error"]).toMatchObject({
        code: "InvalidAuthenticationToken",
        innerError: { "request-id": expect.any(String) as string, "client-request-id": expect.any(String) as string },
      });
    }
  },
);

describe("applications", () => {
  test("are made, shown, changed and deleted", async () => {
    const created = await provider.manage("POST", "/applications", {
      displayName: "orders",
      identifierUris: ["api://orders", "https://orders.contoso.example"],
      api: { requestedAccessTokenVersion: 2, oauth2PermissionScopes: [{ value: "Orders.Read" }] },
      appRoles: [{ value: "Orders.Admin" }],
      web: { redirectUris: ["https://orders.contoso.example/back"] },
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      displayName: "orders",
      identifierUris: ["api://orders", "https://orders.contoso.example"],
      signInAudience: "AzureADMyOrg",
      isFallbackPublicClient: false,
      api: { requestedAccessTokenVersion: 2, oauth2PermissionScopes: [{ value: "Orders.Read", type: "User" }] },
      appRoles: [{ value: "Orders.Admin", allowedMemberTypes: ["User", "Application"] }],
    });
    const { id, appId } = created.body as Record<string, string>;
    for (const name of [id, appId, appId?.toUpperCase(), "orders"]) {
      expect((await provider.manage("GET", `/applications/${name}`)).body).toEqual(created.body);
    }
    const patched = await provider.manage("PATCH", `/applications/${id}`, {
      displayName: "orders 2",
      spa: { redirectUris: ["http://localhost:3000/back"] },
      identifierUris: ["api://orders2"],
    });
    expect(patched.status).toBe(204);
    expect((await provider.manage("GET", `/applications/${id}`)).body).toMatchObject({
      displayName: "orders 2",
      identifierUris: ["api://orders2"],
      web: { redirectUris: ["https://orders.contoso.example/back"] },
      spa: { redirectUris: ["http://localhost:3000/back"] },
      api: { requestedAccessTokenVersion: 2 },
    });
    expect((await provider.manage("DELETE", `/applications/${id}`)).status).toBe(204);
    expect((await provider.manage("GET", `/applications/${id}`)).status).toBe(404);
  });

  test("an App ID URI belongs to one application of a tenant", async () => {
    await provider.manage("POST", "/applications", { displayName: "one", identifierUris: ["api://mine"] });
    const second = await provider.manage("POST", "/applications", {
      displayName: "two",
      identifierUris: ["api://mine"],
    });
    expect(second.status).toBe(409);
    const { value } = (await provider.manage("GET", "/applications")).body as { value: { displayName: string }[] };
    expect(value.map((each) => each.displayName)).not.toContain("two");
  });

  test.each([
    ["no name", {}],
    ["a name that is no text", { displayName: 5 }],
    ["an App ID URI that is none", { displayName: "x", identifierUris: ["orders"] }],
    ["a redirect over plain http", { displayName: "x", web: { redirectUris: ["http://app.example/back"] } }],
    ["a redirect to a private scheme for the web", { displayName: "x", web: { redirectUris: ["myapp://back"] } }],
    ["a redirect that runs as script", { displayName: "x", publicClient: { redirectUris: ["javascript:alert(1)"] } }],
    ["a redirect with a fragment", { displayName: "x", web: { redirectUris: ["https://app.example/#x"] } }],
    ["a token version that is none", { displayName: "x", api: { requestedAccessTokenVersion: 3 } }],
    ["a scope without a name", { displayName: "x", api: { oauth2PermissionScopes: [{}] } }],
    ["a list instead of an object", []],
  ])("%s is refused", async (_what, body) => {
    const answer = await provider.manage("POST", "/applications", body);
    expect(answer.status).toBe(400);
    expect(answer.body["error"]).toMatchObject({ code: "Request_BadRequest", message: expect.any(String) as string });
  });

  test.each([
    { web: { redirectUris: ["http://localhost:8080/back", "https://app.example/"] } },
    { publicClient: { redirectUris: ["http://127.0.0.1/back", "http://[::1]:9/", "msal-app://auth"] } },
  ])("redirect addresses that are allowed: %j", async (uris) => {
    expect((await provider.manage("POST", "/applications", { displayName: "y", ...uris })).status).toBe(201);
  });

  test("secrets show their text once, certificates never their value", async () => {
    const { id } = (await provider.createApplication("credentials")) as { id: string };
    const secret = await provider.manage("POST", `/applications/${id}/addPassword`, {
      passwordCredential: { displayName: "first" },
    });
    expect(secret.body["secretText"]).toMatch(/^[\w-]{43}$/);
    const identity = await createClientIdentity(new Date("2026-01-01"), new Date("2027-01-01"));
    const certificate = await provider.manage("POST", `/applications/${id}/keyCredentials`, {
      key: identity.pem,
      displayName: "cert",
    });
    expect([certificate.status, certificate.body["key"]]).toEqual([201, null]);
    const shown = await provider.manage("GET", `/applications/${id}`);
    expect(shown.body).toMatchObject({
      passwordCredentials: [{ keyId: secret.body["keyId"], displayName: "first", secretText: null }],
      keyCredentials: [
        {
          keyId: certificate.body["keyId"],
          type: "AsymmetricX509Cert",
          usage: "Verify",
          key: null,
          startDateTime: "2026-01-01T00:00:00.000Z",
          endDateTime: "2027-01-01T00:00:00.000Z",
        },
      ],
    });
    expect(JSON.stringify(shown.body)).not.toContain(secret.body["secretText"]);
    const removal = `/applications/${id}/keyCredentials/${String(certificate.body["keyId"])}`;
    expect((await provider.manage("DELETE", removal)).status).toBe(204);
    expect((await provider.manage("DELETE", removal)).status).toBe(404);
  });

  test("two of one name must be told apart by id", async () => {
    await provider.createApplication("twin");
    await provider.createApplication("twin");
    const answer = await provider.manage("GET", "/applications/twin");
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("2 applications")]);
  });
});

test("a body may be missing though its type is named; broken JSON is refused", async () => {
  const { id } = await provider.createApplication("bodies");
  const send = (method: "POST" | "DELETE", url: string, payload: string) =>
    provider.app.inject({
      method,
      url: `/v1.0/applications/${id}${url}`,
      headers: { authorization: "Bearer test-administrator", "content-type": "application/json" },
      payload,
    });
  expect((await send("POST", "/addPassword", "")).statusCode).toBe(200);
  expect((await send("POST", "/addPassword", "{")).statusCode).toBe(400);
  expect((await send("POST", "/addPassword", '{"__proto__":{"a":1}}')).statusCode).toBe(400);
  const tooLong = await send("POST", "/addPassword", `{"a":"${"x".repeat(1_100_000)}"}`);
  expect([tooLong.statusCode, tooLong.json()]).toMatchObject([413, { error: { code: "Request_EntityTooLarge" } }]);
  expect((await send("DELETE", "", "")).statusCode).toBe(204);
});

test("another method than an address serves is refused, and those it serves are named", async () => {
  const { status, headers, body } = await provider.manage("PUT", "/users");
  expect([status, headers["allow"]]).toEqual([405, "GET, HEAD, POST"]);
  expect(body["error"]).toMatchObject({ code: "Request_MethodNotAllowed" });
});

describe("users", () => {
  test("are made, shown, changed and deleted", async () => {
    const created = await provider.manage("POST", "/users", {
      userPrincipalName: `Grace@${DOMAIN}`,
      displayName: "Grace",
      passwordProfile: { password: PASSWORD },
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ userPrincipalName: `Grace@${DOMAIN}`, accountEnabled: true });
    expect(JSON.stringify(created.body)).not.toContain("assword");
    const byName = await provider.manage("GET", `/users/grace@${DOMAIN}`);
    expect(byName.body).toEqual(created.body);
    await provider.manage("PATCH", `/users/grace@${DOMAIN}`, { surname: "Hopper" });
    expect((await provider.manage("GET", `/users/${String(created.body["id"])}`)).body["surname"]).toBe("Hopper");
    const again = await provider.manage("POST", "/users", { userPrincipalName: `grace@${DOMAIN}` });
    expect(again.status).toBe(409);
    expect((await provider.manage("DELETE", `/users/grace@${DOMAIN}`)).status).toBe(204);
    expect((await provider.manage("GET", `/users/grace@${DOMAIN}`)).status).toBe(404);
  });

  test.each([
    ["of another domain", { userPrincipalName: "a@elsewhere.example" }],
    ["without a domain", { userPrincipalName: "a" }],
    ["with a blank", { userPrincipalName: `a b@${DOMAIN}` }],
    ["with a short password", { userPrincipalName: `s@${DOMAIN}`, passwordProfile: { password: "short" } }],
    ["with a very long one", { userPrincipalName: `s@${DOMAIN}`, passwordProfile: { password: "x".repeat(300) } }],
  ])("%s are refused", async (_what, body) => {
    expect((await provider.manage("POST", "/users", body)).status).toBe(400);
  });

  test("null takes a member away; what somebody is called can be changed, but not emptied", async () => {
    const user = await provider.createUser("hedy");
    await provider.createUser("taken");
    const patch = (body: object) => provider.manage("PATCH", `/users/${user}`, body);
    await patch({ mail: null, surname: "", displayName: "Hedy" });
    expect((await provider.manage("GET", `/users/${user}`)).body).toMatchObject({
      displayName: "Hedy",
      givenName: "hedy",
      surname: null,
      mail: null,
    });
    for (const name of ["userPrincipalName", "displayName"]) {
      for (const value of [null, ""]) {
        expect((await patch({ [name]: value })).status, `${name} ${value}`).toBe(400);
      }
    }
    expect((await patch({ userPrincipalName: "hedy@elsewhere.example" })).status).toBe(400);
    expect((await patch({ userPrincipalName: `TAKEN@${DOMAIN}` })).status).toBe(409);
    expect((await patch({ userPrincipalName: `Lamarr@${DOMAIN}` })).status).toBe(204);
    expect((await provider.manage("GET", `/users/${user}`)).status).toBe(404);
    const client = (await provider.createApplication("c of hedy", { isPublic: true })).appId;
    const fields = { grant_type: "password", username: `lamarr@${DOMAIN}`, password: PASSWORD, client_id: client };
    expect((await provider.token(2, { ...fields, scope: "openid" })).status).toBe(200);
  });

  test("a new password ends what was begun with the old one", async () => {
    const user = await provider.createUser("henry");
    const client = (await provider.createApplication("c", { isPublic: true })).appId;
    const fields = { grant_type: "password", username: user, password: PASSWORD, client_id: client };
    const { body } = await provider.token(2, { ...fields, scope: "openid offline_access" });
    const refresh = { grant_type: "refresh_token", refresh_token: String(body["refresh_token"]), client_id: client };
    expect((await provider.token(2, refresh)).status).toBe(200);
    provider.clock.advance(1000);
    await provider.manage("PATCH", `/users/${user}`, { passwordProfile: { password: "another password" } });
    expect((await provider.token(2, refresh)).body["error_codes"]).toEqual([50173]);
  });

  test("unlock lets a locked user in", async () => {
    const user = await provider.createUser("ida");
    const client = (await provider.createApplication("c2", { isPublic: true })).appId;
    const attempt = async (password: string) =>
      (
        await provider.token(2, {
          grant_type: "password",
          username: user,
          password,
          client_id: client,
          scope: "openid",
        })
      ).body["error_codes"];
    for (let index = 0; index < 10; index++) {
      await attempt(`wrong ${index}`);
    }
    expect(await attempt(PASSWORD)).toEqual([50053]);
    expect((await provider.manage("POST", `/users/${user}/unlock`)).status).toBe(204);
    expect(await attempt(PASSWORD)).toBeUndefined();
  });
});

describe("tenants", () => {
  test("are made and listed; the header chooses one", async () => {
    const created = await provider.manage("POST", "/tenants", { domain: "Fabrikam.Example", displayName: "Fabrikam" });
    expect(created.body).toMatchObject({
      displayName: "Fabrikam",
      verifiedDomains: [{ name: "fabrikam.example", isDefault: true }],
    });
    const { value } = (await provider.manage("GET", "/tenants")).body as { value: { displayName: string }[] };
    expect(value.map((tenant) => tenant.displayName)).toEqual(["Contoso", "Fabrikam"]);
    const response = await provider.app.inject({
      url: "/v1.0/organization",
      headers: { authorization: "Bearer test-administrator", "x-tenant": "fabrikam.example" },
    });
    expect(response.json()).toMatchObject({ value: [created.body] });
    expect((await provider.manage("POST", "/tenants", { domain: "fabrikam.example" })).status).toBe(409);
    expect((await provider.manage("POST", "/tenants", { domain: "no domain" })).status).toBe(400);
    expect((await provider.manage("GET", "/tenants/nowhere.example")).status).toBe(404);
  });
});
