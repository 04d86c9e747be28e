import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { claimsOf, DOMAIN, PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let client: Application;
let other: Application;
let api: Application;
let alice: string;
beforeAll(async () => {
  provider = await TestProvider.start();
  client = await provider.createApplication("client", { isPublic: true });
  other = await provider.createConfidential("other");
  api = await provider.createConfidential("api");
});
afterAll(() => provider.stop());

let users = 0;
beforeEach(async () => {
  users += 1;
  alice = await provider.createUser(`alice${users}`);
});

const userTokens = async (version: 1 | 2 = 1) => {
  const target = version === 1 ? { resource: api.appId } : { scope: `${api.appId}/.default openid offline_access` };
  const { body } = await provider.token(version, {
    grant_type: "password",
    client_id: client.appId,
    username: alice,
    password: PASSWORD,
    ...target,
  });
  return body as { access_token: string; refresh_token: string; id_token: string };
};

const appToken = async () => {
  const { body } = await provider.token(1, {
    grant_type: "client_credentials",
    client_id: other.appId,
    client_secret: "secret of other",
    resource: api.appId,
  });
  return String(body["access_token"]);
};

const v2 = (path: string) => `/${provider.tenant.id}/oauth2/v2.0/${path}`;
const asApi = { client_id: "", client_secret: "secret of api" };
const introspect = (token: string, fields: Record<string, string> = {}) =>
  provider.post(v2("introspect"), new URLSearchParams({ ...asApi, client_id: api.appId, token, ...fields }).toString());
const revoke = (token: string, fields: Record<string, string> = { client_id: client.appId }) =>
  provider.app.inject({
    method: "POST",
    url: v2("revoke"),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ token, ...fields }).toString(),
  });
const userInfo = (token: string, path = "/oidc/userinfo") => provider.get(path, { authorization: `Bearer ${token}` });

describe("introspection", () => {
  test("tells what an access token says, under the names of RFC 7662", async () => {
    const { access_token: token } = await userTokens();
    const { status, body, headers } = await introspect(token);
    expect([status, headers["cache-control"]]).toEqual([200, "no-store, no-cache"]);
    const claims = claimsOf(token);
    expect(body).toMatchObject({
      active: true,
      token_type: "Bearer",
      client_id: client.appId,
      username: alice,
      scope: claims["scp"],
      aud: api.appId,
      iss: claims["iss"],
      sub: claims["sub"],
      exp: claims["exp"],
      iat: claims["iat"],
      jti: claims["uti"],
    });
  });

  test("of a token without a user names no user", async () => {
    const { body } = await introspect(await appToken());
    expect(body).toMatchObject({ active: true, client_id: other.appId });
    expect(body).not.toHaveProperty("username");
  });

  test("takes Basic credentials, and refuses whoever has none", async () => {
    const { access_token: token } = await userTokens();
    const basic = Buffer.from(`${api.appId}:secret of api`.replaceAll(" ", "+")).toString("base64");
    const byBasic = await provider.post(v2("introspect"), `token=${token}`, { authorization: `Basic ${basic}` });
    expect(byBasic.body["active"]).toBe(true);
    for (const fields of [{ client_secret: "wrong" }, { client_id: client.appId, client_secret: "" }]) {
      expect((await introspect(token, fields)).body).toMatchObject({ error: "invalid_client" });
    }
    expect((await introspect("")).body["error_codes"]).toEqual([900144]);
    expect((await provider.get(v2("introspect"))).status).toBe(405);
    expect((await provider.post("/common/oauth2/v2.0/introspect", `client_id=${api.appId}`)).status).toBe(400);
  });

  test.each([
    ["nonsense", (token: string) => token.slice(0, 5)],
    ["an id token", async () => (await userTokens(2)).id_token],
    ["a changed token", (token: string) => token.replace(/\.[^.]*\./, (part) => `.${part.slice(2, -1)}A.`)],
    ["alg none", (token: string) => `${base64url({ alg: "none" })}.${token.split(".")[1]}.`],
    ["alg HS256", (token: string) => `${base64url({ alg: "HS256", kid: "x" })}.${token.split(".")[1]}.AAAA`],
    ["far too much", () => `${"a".repeat(20_000)}.b.c`],
    ["too many parts", (token: string) => `${token}.x`],
  ])("%s is inactive, and nothing else is said", async (_what, change) => {
    const { access_token: token } = await userTokens();
    expect((await introspect(await change(token))).body).toEqual({ active: false });
    expect((await introspect(token)).body["active"]).toBe(true);
  });

  test("a token of another tenant is inactive", async () => {
    const elsewhere = await provider.services.tenants.create({ displayName: "F", domain: `f${users}.example` });
    const foreign = await provider.services.applications.create(elsewhere.id, { displayName: "foreign" });
    const { secretOf } = await import("../applications/client-secret.ts");
    await provider.services.applications.addSecret(foreign.id, secretOf("foreign secret"), {
      displayName: "",
      startsAtMs: 0,
      endsAtMs: provider.clock.now() + 1000,
    });
    const { access_token: token } = await userTokens();
    const form = new URLSearchParams({ client_id: foreign.appId, client_secret: "foreign secret", token });
    const answer = await provider.post(`/${elsewhere.id}/oauth2/v2.0/introspect`, form.toString());
    expect(answer.body).toEqual({ active: false });
  });

  test("a refresh token is told to its own client only", async () => {
    const confidential = await provider.createConfidential(`web${users}`);
    const { body } = await provider.token(2, {
      grant_type: "password",
      client_id: confidential.appId,
      client_secret: `secret of web${users}`,
      username: alice,
      password: PASSWORD,
      scope: `${api.appId}/.default offline_access`,
    });
    const token = String(body["refresh_token"]);
    expect((await introspect(token)).body).toEqual({ active: false });
    const own = { client_id: confidential.appId, client_secret: `secret of web${users}` };
    expect((await introspect(token, own)).body).toMatchObject({ active: true, username: alice });
    expect((await revoke(token, own)).statusCode).toBe(200);
    expect((await introspect(token, own)).body).toEqual({ active: false });
  });

  test("ends with the token's time", async () => {
    const other = await TestProvider.start();
    const service = await other.createConfidential("service");
    const { body } = await other.token(1, {
      grant_type: "client_credentials",
      client_id: service.appId,
      client_secret: "secret of service",
      resource: service.appId,
    });
    const form = { client_id: service.appId, client_secret: "secret of service", token: String(body["access_token"]) };
    const ask = async () =>
      (await other.post(`/${DOMAIN}/oauth2/v2.0/introspect`, new URLSearchParams(form).toString())).body;
    expect((await ask())["active"]).toBe(true);
    other.clock.advance(3_599_000);
    await other.services.applications.addSecret(
      service.id,
      (await import("../applications/client-secret.ts")).secretOf("s2"),
      {
        displayName: "",
        startsAtMs: 0,
        endsAtMs: other.clock.now() + 10_000,
      },
    );
    form.client_secret = "s2";
    expect((await ask())["active"]).toBe(true);
    other.clock.advance(1000);
    expect(await ask()).toEqual({ active: false });
    await other.stop();
  });
});

describe("revocation", () => {
  test("ends an access token at once and for every endpoint that asks us", async () => {
    const { access_token: token } = await userTokens();
    expect((await userInfo(token)).status).toBe(200);
    expect((await revoke(token)).statusCode).toBe(200);
    expect((await introspect(token)).body).toEqual({ active: false });
    expect((await userInfo(token)).status).toBe(401);
    expect((await revoke(token)).statusCode).toBe(200);
  });

  test("is known to another process within five seconds", async () => {
    const { access_token: token } = await userTokens();
    const { RevokedTokens } = await import("../revocation/revoked-tokens.ts");
    const elsewhere = new RevokedTokens(provider.provider.database, provider.clock);
    const id = String(claimsOf(token)["uti"]);
    expect(await elsewhere.isRevoked(id, undefined)).toBe(false);
    await revoke(token);
    provider.clock.advance(5_000);
    expect(await elsewhere.isRevoked(id, undefined)).toBe(true);
  });

  test("of a refresh token ends the sign-in", async () => {
    const { refresh_token: token } = await userTokens();
    expect((await revoke(token)).statusCode).toBe(200);
    const { body } = await provider.token(1, {
      grant_type: "refresh_token",
      client_id: client.appId,
      refresh_token: token,
    });
    expect(body["error_codes"]).toEqual([50173]);
  });

  test("is for one's own tokens", async () => {
    const { access_token: accessToken, refresh_token: refreshToken } = await userTokens();
    const asOther = { client_id: other.appId, client_secret: "secret of other" };
    const refused = await revoke(accessToken, asOther);
    expect([refused.statusCode, (refused.json() as Record<string, unknown>)["error"]]).toEqual([400, "invalid_grant"]);
    expect((await revoke(refreshToken, asOther)).statusCode).toBe(200);
    expect((await introspect(accessToken)).body["active"]).toBe(true);
    const { status } = await provider.token(1, {
      grant_type: "refresh_token",
      client_id: client.appId,
      refresh_token: refreshToken,
    });
    expect(status).toBe(200);
  });

  test("of what isn't a token is nothing; a client it needs", async () => {
    expect((await revoke("nonsense")).statusCode).toBe(200);
    expect((await revoke("nonsense", {})).statusCode).toBe(400);
    expect((await revoke("", { client_id: client.appId })).statusCode).toBe(400);
    expect((await revoke("x", { client_id: other.appId, client_secret: "wrong" })).statusCode).toBe(401);
  });

  test("pages may ask and read the answer, refusals too", async () => {
    const url = v2("revoke");
    expect((await revoke("nonsense")).headers["access-control-allow-origin"]).toBe("*");
    expect((await revoke("nonsense", {})).headers["access-control-allow-origin"]).toBe("*");
    const headers = { origin: "https://page.example", "access-control-request-method": "POST" };
    const preflight = await provider.app.inject({ method: "OPTIONS", url, headers });
    expect([preflight.statusCode, preflight.headers["access-control-allow-methods"]]).toEqual([204, "POST, OPTIONS"]);
  });

  test("what was revoked is forgotten once it would have expired", async () => {
    const { access_token: token } = await userTokens();
    await revoke(token);
    const id = String(claimsOf(token)["uti"]);
    expect(await provider.services.revokedTokens.isRevoked(id, undefined)).toBe(true);
    provider.clock.advance(3_601_000);
    await provider.services.revokedTokens.sweep();
    expect(await provider.services.revokedTokens.isRevoked(id, undefined)).toBe(false);
    expect((await userInfo(token)).status).toBe(401);
  });
});

describe("userinfo", () => {
  test("of both versions has the subject of the id token", async () => {
    const { access_token: token, id_token: idToken } = await userTokens(2);
    const sub = claimsOf(idToken)["sub"];
    const name = `alice${users}`;
    expect((await userInfo(token)).body).toEqual({
      sub,
      name,
      given_name: name,
      family_name: "Example",
      email: `${name}@mail.example`,
      preferred_username: alice,
    });
    const v1 = await userInfo(token, `/${provider.tenant.id}/openid/userinfo?schema=openid`);
    expect(v1.body).toMatchObject({ sub, upn: alice, unique_name: alice, tid: provider.tenant.id });
    expect(v1.headers["content-type"]).toBe("application/json; charset=utf-8");
    const nowhere = await userInfo(token, "/nowhere.example/openid/userinfo");
    expect([nowhere.status, nowhere.body["error_codes"]]).toEqual([400, [90002]]);
  });

  test("is asked by POST as well, with the token in header or body", async () => {
    const { access_token: token } = await userTokens();
    const inBody = await provider.post("/oidc/userinfo", `access_token=${token}`);
    const inHeader = await provider.post("/oidc/userinfo", "", { authorization: `Bearer ${token}` });
    expect([inBody.status, inHeader.status]).toEqual([200, 200]);
    expect(inBody.body).toEqual(inHeader.body);
    expect((await provider.get(`/oidc/userinfo?access_token=${token}`)).status).toBe(401);
    const both = await provider.post("/oidc/userinfo", `access_token=${token}`, { authorization: `Bearer ${token}` });
    expect([both.status, both.body["error"]]).toEqual([400, "invalid_request"]);
  });

  test("without a token, with a wrong one, or without a user: 401 with a challenge", async () => {
    expect((await provider.get("/oidc/userinfo")).headers["www-authenticate"]).toBe("Bearer");
    for (const token of ["nonsense", await appToken(), (await userTokens(2)).id_token]) {
      const answer = await userInfo(token);
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer error="invalid_token"/);
    }
  });

  test("ends with the user's account, and with all sign-ins, within five seconds", async () => {
    const { access_token: token } = await userTokens();
    expect((await userInfo(token)).status).toBe(200);
    const user = await provider.services.users.findByName(provider.tenant.id, alice);
    await provider.services.users.update(user!, { isEnabled: false });
    provider.clock.advance(5_000);
    expect((await userInfo(token)).status).toBe(401);
    await provider.services.users.update(user!, { isEnabled: true, password: "another long password" });
    provider.clock.advance(5_000);
    expect((await userInfo(token)).status).toBe(401);
  });

  test("may be asked from a page of another origin, without cookies", async () => {
    const preflight = await provider.app.inject({ method: "OPTIONS", url: "/oidc/userinfo" });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers["access-control-allow-headers"]).toContain("authorization");
    expect(preflight.headers).not.toHaveProperty("access-control-allow-credentials");
  });
});

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
