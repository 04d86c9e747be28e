import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimsOf, DOMAIN, headerOf, PASSWORD, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let client: string;
let api: string;
let api2: string;
let alice: string;
beforeAll(async () => {
  provider = await TestProvider.start();
  client = (await provider.createApplication("client", { isPublic: true })).appId;
  api = (await provider.createApplication("api", {}, ["https://api.contoso.example"])).appId;
  const scope = (value: string, consentBy: "User" | "Admin") => ({
    id: crypto.randomUUID(),
    value,
    description: "",
    consentBy,
    isEnabled: true,
  });
  const scopes = [scope("Orders.Read", "User"), scope("Orders.Admin", "Admin")];
  api2 = (await provider.createApplication("api2", { tokenVersion: 2, scopes }, ["api://orders"])).appId;
  alice = await provider.createUser("alice");
});
afterAll(() => provider.stop());

const v1 = (fields: Record<string, string> = {}) => ({
  grant_type: "password",
  username: alice,
  password: PASSWORD,
  resource: "https://api.contoso.example",
  client_id: client,
  ...fields,
});
const v2 = (fields: Record<string, string> = {}) => ({
  grant_type: "password",
  username: alice,
  password: PASSWORD,
  scope: "openid profile email offline_access api://orders/Orders.Read",
  client_id: client,
  ...fields,
});

test.each([1, 2] as const)("v%i: a public client may name itself by Basic without a secret", async (version) => {
  const { client_id: _id, ...fields }: Record<string, string> = version === 1 ? v1() : v2();
  const basic = (secret: string) => ({
    headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}` },
  });
  expect((await provider.token(version, fields, basic(""))).status).toBe(200);
  expect((await provider.token(version, fields, basic("x"))).body["error_codes"]).toEqual([700025]);
});

describe("v1", () => {
  test("answers with strings for numbers, a refresh token and the claims of version 1", async () => {
    const { status, headers, body } = await provider.token(1, v1());
    expect(status).toBe(200);
    const nowSeconds = provider.clock.now() / 1000;
    expect(body).toEqual({
      token_type: "Bearer",
      scope: "user_impersonation",
      expires_in: "3599",
      ext_expires_in: "3599",
      expires_on: String(nowSeconds + 3600),
      not_before: String(nowSeconds - 300),
      resource: "https://api.contoso.example",
      access_token: expect.any(String) as string,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      id_token: expect.any(String) as string,
    });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["cache-control"]).toContain("no-store");
    expect(headers["pragma"]).toBe("no-cache");
    const header = headerOf(body["access_token"]);
    expect(header).toEqual({ typ: "JWT", alg: "RS256", kid: header["x5t"], x5t: expect.any(String) as string });
    expect(claimsOf(body["access_token"])).toEqual({
      aud: "https://api.contoso.example",
      iss: `${PUBLIC_URL}/${provider.tenant.id}/`,
      iat: nowSeconds,
      nbf: nowSeconds - 300,
      exp: nowSeconds + 3600,
      acr: "1",
      amr: ["pwd"],
      appid: client,
      appidacr: "0",
      family_name: "Example",
      given_name: "alice",
      ipaddr: "127.0.0.1",
      name: "alice",
      oid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      rh: expect.stringMatching(/^[\w-]{22}$/) as string,
      scp: "user_impersonation",
      sub: expect.stringMatching(/^[\w-]{43}$/) as string,
      tid: provider.tenant.id,
      unique_name: alice,
      upn: alice,
      uti: expect.any(String) as string,
      ver: "1.0",
    });
  });

  test("the token verifies with the published keys, where kid is x5t", async () => {
    const { body } = await provider.token(1, v1());
    const keys = await provider.get(`/${provider.tenant.id}/discovery/keys`);
    const [key] = keys.body["keys"] as { kid: string; x5t: string; x5c: string[] }[];
    expect(key?.kid).toBe(key?.x5t);
    const { protectedHeader } = await jwtVerify(String(body["access_token"]), createLocalJWKSet(keys.body as never), {
      issuer: `${PUBLIC_URL}/${provider.tenant.id}/`,
      audience: "https://api.contoso.example",
      currentDate: new Date(provider.clock.now()),
    });
    expect(protectedHeader.kid).toBe(key?.kid);
  });

  test("an id token always; client_info when asked for", async () => {
    const { body } = await provider.token(1, v1({ client_info: "1" }));
    const idToken = claimsOf(body["id_token"]);
    expect(idToken).toMatchObject({ aud: client, ver: "1.0", upn: alice, tid: provider.tenant.id, amr: ["pwd"] });
    expect(idToken["sub"]).not.toBe(claimsOf(body["access_token"])["sub"]);
    const info = JSON.parse(Buffer.from(body["client_info"] as string, "base64url").toString()) as unknown;
    expect(info).toEqual({ uid: idToken["oid"], utid: provider.tenant.id });
  });

  test("the resource may be a client id, with spn: before it, and the audience repeats the spelling", async () => {
    for (const resource of [api, `spn:${api}`, "https://api.contoso.example/"]) {
      const { body } = await provider.token(1, v1({ resource }));
      expect(claimsOf(body["access_token"])["aud"]).toBe(resource);
      expect(body["resource"]).toBe(resource);
    }
  });

  test("the version of the access token is the resource's, that of the id token the endpoint's", async () => {
    const { body } = await provider.token(1, v1({ resource: "api://orders", scope: "openid" }));
    expect(claimsOf(body["access_token"])).toMatchObject({
      ver: "2.0",
      aud: api2,
      azp: client,
      azpacr: "0",
      iss: `${PUBLIC_URL}/${provider.tenant.id}/v2.0`,
      preferred_username: alice,
      scp: "Orders.Read",
    });
    expect(claimsOf(body["id_token"])["ver"]).toBe("1.0");
  });

  test("the tenant may be its domain or common, in any case and with a query", async () => {
    for (const tenant of [DOMAIN, DOMAIN.toUpperCase(), "common", "Organizations"]) {
      const { status, body } = await provider.token(1, v1(), { tenant });
      expect(status, tenant).toBe(200);
      expect(claimsOf(body["access_token"])["tid"]).toBe(provider.tenant.id);
    }
    const path = `/${provider.tenant.id}/OAuth2/Token?api-version=1.0`;
    expect((await provider.post(path, new URLSearchParams(v1()).toString())).status).toBe(200);
  });

  test.each(["grant_type", "username", "password", "resource", "client_id"])("names the missing %s", async (name) => {
    for (const without of [{ [name]: "" }, undefined]) {
      const fields: Record<string, string> = { ...v1(), ...without };
      if (without === undefined) {
        delete fields[name];
      }
      const { status, body } = await provider.token(1, fields);
      expect({ status, error: body["error"], codes: body["error_codes"] }).toEqual({
        status: 400,
        error: "invalid_request",
        codes: [900144],
      });
      expect(body["error_description"]).toContain(`'${name}'`);
    }
  });

  test.each(["grant_type", "username", "password", "resource", "client_id"])("names the repeated %s", async (name) => {
    const { status, body } = await provider.post(
      `/${provider.tenant.id}/oauth2/token`,
      `${new URLSearchParams(v1()).toString()}&${name}=x`,
    );
    expect([status, body["error"], body["error_codes"]]).toEqual([400, "invalid_request", [90014]]);
    expect(body["error_description"]).toContain(`'${name}'`);
  });
});

describe("v2", () => {
  test("answers with numbers, repeats the caller's scopes and gives what the scopes ask for", async () => {
    const { status, body } = await provider.token(2, v2({ client_info: "1" }));
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: "Bearer",
      scope: "openid profile email offline_access api://orders/Orders.Read",
      expires_in: 3599,
      ext_expires_in: 3599,
      access_token: expect.any(String) as string,
      refresh_token: expect.any(String) as string,
      id_token: expect.any(String) as string,
      client_info: expect.any(String) as string,
    });
    expect(headerOf(body["access_token"])).toEqual({ typ: "JWT", alg: "RS256", kid: expect.any(String) as string });
    expect(claimsOf(body["access_token"])).toMatchObject({ aud: api2, scp: "Orders.Read", ver: "2.0" });
    expect(claimsOf(body["id_token"])).toMatchObject({
      aud: client,
      iss: `${PUBLIC_URL}/${provider.tenant.id}/v2.0`,
      preferred_username: alice,
      email: "alice@mail.example",
      ver: "2.0",
    });
  });

  test("without openid and offline_access there are no further tokens", async () => {
    const { body } = await provider.token(2, v2({ scope: `${api2}/.default` }));
    expect(Object.keys(body)).not.toContain("id_token");
    expect(Object.keys(body)).not.toContain("refresh_token");
    expect(body["scope"]).toBe(`${api2}/.default ${api2}/Orders.Read`);
  });

  test("only OpenID scopes: the token is for the built-in directory", async () => {
    const { body } = await provider.token(2, v2({ scope: "openid" }));
    expect(claimsOf(body["access_token"])["aud"]).toBe("00000002-0000-0000-c000-000000000000");
  });

  test("a permission that is named twice is given once", async () => {
    const { body } = await provider.token(2, v2({ scope: `${api2}/Orders.Read ${api2}/orders.read` }));
    expect(claimsOf(body["access_token"])["scp"]).toBe("Orders.Read");
  });

  test.each([
    ["scope missing", { scope: "" }, 900144, "invalid_request"],
    ["resource given", { resource: "https://api.contoso.example" }, 901002, "invalid_request"],
    ["unknown permission", { scope: "api://orders/Nope" }, 70011, "invalid_scope"],
    ["an administrator's permission", { scope: "api://orders/Orders.Admin" }, 65001, "invalid_grant"],
    ["two resources", { scope: "api://orders/Orders.Read User.Read" }, 70011, "invalid_scope"],
    ["default and more", { scope: "api://orders/.default api://orders/Orders.Read" }, 70011, "invalid_scope"],
    ["unknown resource", { scope: "api://nowhere/x" }, 500011, "invalid_resource"],
  ])("%s", async (_what, fields, code, error) => {
    const { status, body } = await provider.token(2, v2(fields));
    expect([status, body["error_codes"], body["error"]]).toEqual([400, [code], error]);
  });

  test("needs a tenant of its own or organizations", async () => {
    for (const tenant of ["common", "consumers"]) {
      const { body } = await provider.token(2, v2(), { tenant });
      expect([body["error"], body["error_codes"]]).toEqual(["invalid_request", [9001023]]);
    }
    expect((await provider.token(2, v2(), { tenant: "organizations" })).status).toBe(200);
  });
});

describe("who may not", () => {
  test.each([
    ["a wrong password", { password: "wrong password" }, 50126],
    ["an unknown user", { username: `nobody@${DOMAIN}` }, 50126],
    ["a user of another domain", { username: "alice@elsewhere.example" }, 50126],
    ["a NUL in the name", { username: "a\0b" }, 9002313],
  ])("%s", async (_what, fields, code) => {
    const { status, body } = await provider.token(1, v1(fields));
    expect([status, body["error_codes"]]).toEqual([400, [code]]);
  });

  test("an unknown user gets the answer of a wrong password, word for word", async () => {
    const text = async (fields: Record<string, string>): Promise<string> =>
      String((await provider.token(1, v1(fields))).body["error_description"]).split("\r\n")[0] ?? "";
    expect(await text({ username: `nobody2@${DOMAIN}` })).toBe(await text({ password: "another wrong one" }));
  });

  test("a password that must be changed, told only to who knows it", async () => {
    const bob = await provider.createUser("bob", true);
    const right = await provider.token(1, v1({ username: bob }));
    expect(right.body).toMatchObject({ error_codes: [50055], suberror: "user_password_expired" });
    const wrong = await provider.token(1, v1({ username: bob, password: "wrong password" }));
    expect(wrong.body["error_codes"]).toEqual([50126]);
  });

  test("a disabled user", async () => {
    const carol = await provider.createUser("carol");
    await provider.manage("PATCH", `/users/${carol}`, { accountEnabled: false });
    expect((await provider.token(1, v1({ username: carol }))).body["error_codes"]).toEqual([50057]);
  });

  const attempt = async (username: string, password: string): Promise<unknown> =>
    (await provider.token(1, v1({ username, password }))).body["error_codes"];

  test.each(["dave", "unknown"])("ten wrong passwords lock %s for a minute, known or not", async (name) => {
    const username = `${name}@${DOMAIN}`;
    await provider.createUser("dave").catch(() => undefined);
    for (let index = 0; index < 10; index++) {
      expect(await attempt(username, `wrong ${index}`)).toEqual([50126]);
    }
    expect(await attempt(username, PASSWORD)).toEqual([50053]);
    provider.clock.advance(60_001);
    expect(await attempt(username, "wrong again")).toEqual([50126]);
    expect(await attempt(username, PASSWORD), "one more failure locks again").toEqual([50053]);
    provider.clock.advance(60_001);
    expect(await attempt(username, PASSWORD), "for longer").toEqual([50053]);
  });

  test("a right password after the lock clears the count", async () => {
    const frank = await provider.createUser("frank");
    for (let index = 0; index < 10; index++) {
      await attempt(frank, `wrong ${index}`);
    }
    provider.clock.advance(60_001);
    expect(await attempt(frank, PASSWORD)).toBeUndefined();
    expect(await attempt(frank, "wrong again")).toEqual([50126]);
    expect(await attempt(frank, PASSWORD)).toBeUndefined();
  });

  test("the same wrong password again and again locks nobody", async () => {
    const erin = await provider.createUser("erin");
    for (let index = 0; index < 15; index++) {
      expect((await provider.token(1, v1({ username: erin, password: "old one" }))).body["error_codes"]).toEqual([
        50126,
      ]);
    }
    expect((await provider.token(1, v1({ username: erin }))).status).toBe(200);
  });
});
