import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { postgresServer } from "../testing/test-database.ts";
import { claimsOf, DOMAIN, PASSWORD, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let web: Application;
let pub: Application;
let alice: string;
const BACK = "https://web.contoso.example/back";
const RESOURCE = "https://api.contoso.example";
const STATE = "6a0f1d3c-1d3c-4b7a-9a51-0a9f4b7d2c11";
const NONCE = "b3f1c0de-0000-4000-8000-000000000001";
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

beforeAll(async () => {
  provider = await TestProvider.start();
  await provider.createApplication("api", {}, [RESOURCE]);
  web = await provider.createConfidential("web", {
    redirectUris: [{ uri: BACK, type: "web" }],
    issuesIdTokensImplicitly: true,
  });
  pub = await provider.createApplication("pub", {
    isPublic: true,
    redirectUris: [
      { uri: "http://localhost/", type: "public" },
      { uri: "http://127.0.0.1/back", type: "public" },
      { uri: "myapp://auth", type: "public" },
    ],
  });
  alice = await provider.createUser("alice");
});
afterAll(() => provider.stop());
beforeEach(() => {
  browser = new TestBrowser(provider);
});

const v1 = (more: Record<string, string> = {}, segment = "common"): string =>
  `/${segment}/oauth2/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: web.appId,
    redirect_uri: BACK,
    ...more,
  }).toString()}`;
const v2 = (more: Record<string, string> = {}, segment = "common"): string =>
  `/${segment}/oauth2/v2.0/authorize?${new URLSearchParams({
    client_id: web.appId,
    redirect_uri: BACK,
    response_type: "code id_token",
    scope: `openid offline_access profile ${RESOURCE}/user_impersonation`,
    state: STATE,
    nonce: NONCE,
    response_mode: "form_post",
    ...more,
  }).toString()}`;
const answerOf = (view: View): URLSearchParams => {
  const url = new URL(view.location ?? "");
  return url.hash === "" ? url.searchParams : new URLSearchParams(url.hash.slice(1));
};
const redeem = (version: 1 | 2, code: string | null, more: Record<string, string> = {}, tenant = provider.tenant.id) =>
  provider.token(
    version,
    {
      grant_type: "authorization_code",
      code: code ?? "",
      client_id: web.appId,
      client_secret: "secret of web",
      redirect_uri: BACK,
      ...more,
    },
    { tenant },
  );

describe("v1 with the interface's three parameters", () => {
  test("a sign-in page, then the code in the query of the reply address", async () => {
    const page = await browser.get(v1());
    expect(page.status).toBe(200);
    expect(page.text).toContain("web");
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    const answer = await browser.agree(await browser.submit(page, { username: alice, password: PASSWORD }));
    expect(answer.status).toBe(302);
    expect(answer.location).toMatch(/^https:\/\/web\.contoso\.example\/back\?code=/);
    const parameters = answerOf(answer);
    expect(parameters.has("state")).toBe(false);
    expect(parameters.get("session_state")).toMatch(/^[0-9a-f-]{36}$/);
    expect(parameters.get("iss")).toBe(`${PUBLIC_URL}/${provider.tenant.id}/`);
    const tokens = await redeem(1, parameters.get("code"), { resource: RESOURCE }, "common");
    expect(tokens.status).toBe(200);
    expect(tokens.body).toMatchObject({ refresh_token: expect.any(String) as string, resource: RESOURCE });
    expect(claimsOf(tokens.body["access_token"])).toMatchObject({ aud: RESOURCE, upn: alice, appidacr: "1" });
  });

  test("a resource may be named at either end, the same at both; none is the directory", async () => {
    const code = async (more: Record<string, string> = {}) =>
      answerOf(await browser.signIn(v1({ ...more, prompt: "login" }), alice)).get("code");
    const here = await redeem(1, await code({ resource: RESOURCE }));
    expect(here.body["resource"]).toBe(RESOURCE);
    const nowhere = await redeem(1, await code());
    expect(nowhere.body["resource"]).toBe("00000002-0000-0000-c000-000000000000");
    const different = await redeem(1, await code({ resource: RESOURCE }), { resource: web.appId });
    expect(different.body["error_codes"]).toEqual([70000]);
  });

  test("a code means the same resource at the endpoint of the other version", async () => {
    const code = async (url: string) => answerOf(await browser.signIn(url, alice)).get("code");
    const first = await redeem(2, await code(v1({ resource: RESOURCE, prompt: "login" })));
    expect([first.status, first.body["scope"]]).toEqual([200, `${RESOURCE}/user_impersonation`]);
    const second = await redeem(1, await code(v2({ response_type: "code", response_mode: "query", prompt: "login" })));
    expect([second.status, second.body["resource"]]).toEqual([200, RESOURCE]);
  });

  test("without a reply address it is the registered one", async () => {
    const answer = await browser.signIn(v1({ redirect_uri: "" }), alice);
    expect(answer.location).toContain(BACK);
    expect((await redeem(1, answerOf(answer).get("code"), { redirect_uri: "" })).status).toBe(200);
  });
});

describe("v2 hybrid, as the interface shows it", () => {
  test("code, id_token and state by form_post; c_hash and nonce; the same subject at the token endpoint", async () => {
    const posted = await browser.signIn(v2(), alice);
    expect([posted.status, posted.action]).toEqual([200, BACK]);
    expect(posted.headers["content-security-policy"]).toContain("form-action https://web.contoso.example;");
    const { code = "", id_token: idToken, state } = posted.fields;
    expect(state).toBe(STATE);
    const front = claimsOf(idToken);
    expect(front).toMatchObject({ aud: web.appId, nonce: NONCE, ver: "2.0", preferred_username: alice });
    const half = createHash("sha256").update(code).digest().subarray(0, 16).toString("base64url");
    expect(front["c_hash"]).toBe(half);
    const tokens = await redeem(2, code);
    expect(tokens.body["scope"]).toBe(`openid offline_access profile ${RESOURCE}/user_impersonation`);
    const back = claimsOf(tokens.body["id_token"]);
    expect(back).toMatchObject({ nonce: NONCE, iss: front["iss"], sub: front["sub"] });
    expect(tokens.body["refresh_token"]).toEqual(expect.any(String));
    expect(claimsOf(tokens.body["access_token"])["aud"]).toBe(RESOURCE);
  });

  test("by fragment unless said otherwise, never by query", async () => {
    const fragment = await browser.signIn(v2({ response_mode: "" }), alice);
    expect(fragment.location).toMatch(/^https:\/\/web\.contoso\.example\/back#code=/);
    const query = await browser.get(v2({ response_mode: "query" }));
    expect(query.location).toContain("#error=invalid_request");
    expect(answerOf(query).get("error_description")).toContain("STS70007");
  });

  test("a nonce is needed, and never invented for a plain code", async () => {
    const without = await browser.get(v2({ nonce: "", response_mode: "fragment" }));
    expect(answerOf(without).get("error_description")).toContain("'nonce'");
    const code = await browser.signIn(v2({ nonce: "", response_type: "code", response_mode: "query" }), alice);
    const tokens = await redeem(2, answerOf(code).get("code"));
    expect(claimsOf(tokens.body["id_token"])).not.toHaveProperty("nonce");
  });

  test("POST works like GET", async () => {
    const [path = "", query = ""] = v2().split("?");
    const page = await browser.post(path, Object.fromEntries(new URLSearchParams(query)));
    expect(page.action).toBe("/signin");
  });
});

describe("refused on a page, never redirected", () => {
  test.each([
    ["an insecure reply address, registered or not", { redirect_uri: "http://web.contoso.example/back" }, 500117],
    ["a subdomain of localhost over http", { redirect_uri: "http://app.localhost/" }, 500117],
    ["a loopback address of a web client", { redirect_uri: "http://127.0.0.1/back" }, 500117],
    ["an address that isn't registered", { redirect_uri: "https://web.contoso.example/other" }, 50011],
    ["a path that only resolves to it", { redirect_uri: "https://web.contoso.example/x/../back" }, 50011],
    ["another case of the path", { redirect_uri: "https://web.contoso.example/BACK" }, 50011],
    ["an address with something before it", { redirect_uri: "https://web.contoso.example@evil.example/back" }, 50011],
    ["another port", { redirect_uri: "https://web.contoso.example:444/back" }, 50011],
    ["a query added", { redirect_uri: `${BACK}?x=1` }, 50011],
    ["a fragment", { redirect_uri: `${BACK}#x` }, 90102],
    ["no absolute address", { redirect_uri: "/back" }, 90102],
    ["a urn", { redirect_uri: "urn:ietf:wg:oauth:2.0:oob" }, 500119],
    ["an unknown client", { client_id: "11111111-2222-4333-8444-555555555555" }, 700016],
    ["no client", { client_id: "" }, 900144],
  ])("%s", async (_what, more, code) => {
    for (const url of [v1(more), v2({ ...more, response_type: "nonsense", scope: "" })]) {
      const view = await browser.get(url);
      expect([view.status, view.location]).toEqual([400, undefined]);
      expect(view.text).toContain(`STS${code}: `);
      expect(view.headers["content-type"]).toBe("text/html; charset=utf-8");
    }
  });

  test("the message about an insecure address speaks of a secure scheme", async () => {
    const view = await browser.get(v2({ redirect_uri: "http://evil.example/" }));
    expect(view.text).toContain("does not use a secure scheme");
  });

  test("an unknown tenant", async () => {
    expect((await browser.get(v1({}, "nowhere.example"))).text).toContain("STS90002: ");
  });

  test("what a request says is shown as text", async () => {
    const view = await browser.get(v1({ redirect_uri: "https://x/<script>alert(1)</script>" }));
    expect(view.text).not.toContain("<script>");
  });

  test.each(["redirect_uri=https%3A%2F%2Fevil.example", "client_id=x"])("repeated: %s", async (again) => {
    const view = await browser.get(`${v1()}&${again}`);
    expect([view.status, view.location]).toEqual([400, undefined]);
    expect(view.text).toContain("STS90014: ");
  });
});

describe("refused by redirect, with state", () => {
  test.each([
    ["no response type", { response_type: "" }, "invalid_request", 900144],
    ["an unknown response type", { response_type: "code token" }, "unsupported_response_type", 70005],
    ["a token that isn't enabled", { response_type: "id_token token" }, "unsupported_response_type", 700051],
    ["an unknown response mode", { response_mode: "carrier_pigeon" }, "invalid_request", 70007],
    ["no scope", { scope: "" }, "invalid_request", 900144],
    ["a resource on v2", { resource: RESOURCE }, "invalid_request", 901002],
    ["an unknown prompt", { prompt: "please" }, "invalid_request", 90023],
    ["a prompt of v1", { prompt: "admin_consent" }, "invalid_request", 90023],
    ["another prompt of v1", { prompt: "refresh_session" }, "invalid_request", 90023],
    ["prompt none and more", { prompt: "none login" }, "invalid_request", 90023],
    ["a max_age that is no number", { max_age: "-1" }, "invalid_request", 90023],
    ["a short challenge", { code_challenge: "short" }, "invalid_request", 501491],
    ["an unknown method", { code_challenge: CHALLENGE, code_challenge_method: "S1" }, "invalid_request", 501491],
    ["nobody signed in and nobody may be asked", { prompt: "none" }, "login_required", 50058],
  ])("%s", async (_what, more: Record<string, string>, error, code) => {
    const view = await browser.get(v2({ response_mode: "fragment", ...more }));
    expect(view.status).toBe(302);
    const answer = answerOf(view);
    expect([answer.get("error"), answer.get("state")]).toEqual([error, STATE]);
    expect(answer.get("error_description")).toMatch(new RegExp(`^STS${code}: `));
  });

  test.each(["scope", "nonce", "response_type", "response_mode", "state", "x-unknown"])("%s twice", async (name) => {
    const url = v2({ response_mode: "fragment", "x-unknown": "1" });
    const view = await browser.get(`${url}&${name}=again`);
    const answer = answerOf(view);
    expect([answer.get("error"), answer.get("state")]).toEqual(["invalid_request", name === "state" ? null : STATE]);
    expect(answer.get("error_description")).toContain(`'${name}'`);
  });

  test("by form_post when that was asked for", async () => {
    const view = await browser.get(v2({ prompt: "none" }));
    expect([view.status, view.action]).toEqual([200, BACK]);
    expect(view.fields).toMatchObject({ error: "login_required", state: STATE });
  });

  test("after the sign-in: an unknown resource", async () => {
    const view = await browser.signIn(v2({ scope: "openid api://nowhere/x" }), alice);
    expect(view.fields).toMatchObject({ error: "invalid_resource", state: STATE });
  });
});

describe("public clients", () => {
  const request = (more: Record<string, string>) =>
    v2({
      client_id: pub.appId,
      response_type: "code",
      response_mode: "query",
      redirect_uri: "http://localhost:4711",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      ...more,
    });
  const redeemPublic = (code: string | null, more: Record<string, string> = {}) =>
    provider.token(2, {
      grant_type: "authorization_code",
      code: code ?? "",
      client_id: pub.appId,
      redirect_uri: "http://localhost:4711",
      code_verifier: VERIFIER,
      ...more,
    });

  test("any port of localhost, and PKCE", async () => {
    const answer = await browser.signIn(request({}), alice);
    expect(answer.location).toMatch(/^http:\/\/localhost:4711\/\?code=/);
    const wrong = await redeemPublic(answerOf(answer).get("code"), { code_verifier: "w".repeat(43) });
    expect(wrong.body["error_codes"]).toEqual([501481]);
    expect((await redeemPublic(answerOf(answer).get("code"))).status).toBe(200);
  });

  test.each(["http://127.0.0.1:9/back", "myapp://auth"])("the registered address %s", async (uri) => {
    const answer = await browser.signIn(request({ redirect_uri: uri }), alice);
    expect(answer.location?.startsWith(`${uri}?code=`)).toBe(true);
    expect((await redeemPublic(answerOf(answer).get("code"), { redirect_uri: uri })).status).toBe(200);
  });

  test("by form_post to localhost, which the page's policy lets through", async () => {
    const posted = await browser.signIn(request({ response_mode: "form_post" }), alice);
    expect(posted.action).toBe("http://localhost:4711");
    expect(posted.headers["content-security-policy"]).toContain("form-action http://localhost:4711;");
  });

  test("without a challenge: refused on v2, allowed on v1", async () => {
    const refused = await browser.get(request({ code_challenge: "", code_challenge_method: "" }));
    expect(answerOf(refused).get("error_description")).toContain("STS9002325");
    const old = v1({ client_id: pub.appId, redirect_uri: "http://localhost:1" });
    const answer = await browser.signIn(old, alice);
    const fields = { grant_type: "authorization_code", client_id: pub.appId, redirect_uri: "http://localhost:1" };
    const code = answerOf(answer).get("code") ?? "";
    const stray = await provider.token(1, { ...fields, code, code_verifier: VERIFIER });
    expect(stray.body["error_codes"]).toEqual([501481]);
    expect((await provider.token(1, { ...fields, code })).status).toBe(200);
  });
});

describe("a code", () => {
  const newCode = async (more: Record<string, string> = {}) =>
    answerOf(await browser.signIn(v1({ resource: RESOURCE, prompt: "login", ...more }), alice)).get("code");

  test("is good once; a second use revokes what the first gave", async () => {
    const code = await newCode();
    const first = await redeem(1, code);
    const again = await redeem(1, code);
    expect([again.body["error"], again.body["error_codes"]]).toEqual(["invalid_grant", [54005]]);
    const refresh = await provider.token(1, {
      grant_type: "refresh_token",
      refresh_token: String(first.body["refresh_token"]),
      client_id: web.appId,
      client_secret: "secret of web",
    });
    expect(refresh.body["error_codes"]).toEqual([50173]);
  });

  test.each([[`${RESOURCE}/user_impersonation openid offline_access`], ["openid offline_access"]])(
    "gives what its redemption adds of OpenID: %s",
    async (scope) => {
      const request = v2({ scope: `${RESOURCE}/user_impersonation`, response_type: "code", prompt: "login" });
      const { code = "" } = (await browser.signIn(request, alice)).fields;
      const { body } = await redeem(2, code, { scope });
      expect(body["scope"]).toBe(`${RESOURCE}/user_impersonation openid offline_access`);
      expect(claimsOf(body["id_token"])).toMatchObject({ aud: web.appId });
      expect(body["refresh_token"]).toEqual(expect.any(String));
    },
  );

  test("of a user who was disabled meanwhile is refused as that", async () => {
    const user = await provider.createUser("ulla");
    const code = answerOf(await browser.signIn(v1({ prompt: "login" }), user)).get("code");
    await provider.manage("PATCH", `/users/${user}`, { accountEnabled: false });
    expect((await redeem(1, code)).body["error_codes"]).toEqual([50057]);
  });

  test("survives mistakes in the request on v1", async () => {
    const named = await newCode();
    expect((await redeem(1, named, { resource: "api://other" })).body["error_codes"]).toEqual([70000]);
    expect((await redeem(1, named, { claims: "no JSON" })).status).toBe(400);
    expect((await redeem(1, named)).status).toBe(200);
    const open = await newCode({ resource: "" });
    expect((await redeem(1, open, { resource: "api://nowhere" })).body["error_codes"]).toEqual([500011]);
    expect((await redeem(1, open, { resource: RESOURCE })).status).toBe(200);
  });

  test("survives mistakes in the request on v2", async () => {
    const scope = `openid ${RESOURCE}/user_impersonation`;
    const { code = "" } = (await browser.signIn(v2({ scope, prompt: "login" }), alice)).fields;
    const asked = (more: string) => redeem(2, code, { scope: more });
    expect((await asked("api://other/x")).body["error_codes"]).toEqual([70000]);
    expect((await asked(`${RESOURCE}/unknown`)).body["error_codes"]).toEqual([70011]);
    expect((await asked(`${RESOURCE}/a api://other/x`)).body["error_codes"]).toEqual([70011]);
    expect((await asked(scope)).status).toBe(200);
    expect((await asked(scope)).body["error_codes"]).toEqual([54005]);
  });

  test("is good for ten minutes, for its client, reply address and tenant", async () => {
    const code = await newCode();
    expect((await redeem(1, code, { redirect_uri: "https://web.contoso.example/other" })).body["error_codes"]).toEqual([
      70000,
    ]);
    expect((await redeem(1, code, { redirect_uri: "" })).body["error_codes"]).toEqual([70000]);
    const other = await provider.createConfidential("other");
    const stolen = await redeem(1, code, { client_id: other.appId, client_secret: "secret of other" });
    expect(stolen.body["error_codes"]).toEqual([70000]);
    provider.clock.advance(10 * 60_000);
    expect((await redeem(1, code)).body["error_codes"]).toEqual([70008]);
    expect((await redeem(1, "unknown")).body["error_codes"]).toEqual([70000]);
    expect((await redeem(1, "")).body["error_codes"]).toEqual([900144]);
  });
});

describe("the session", () => {
  test("answers the next request by itself, until prompt, max_age or another account ask for more", async () => {
    await browser.signIn(v1(), alice);
    expect((await browser.get(v1())).location).toContain("code=");
    expect((await browser.get(v1({ prompt: "none" }))).location).toContain("code=");
    expect((await browser.get(v1({ prompt: "login" }))).action).toBe("/signin");
    expect((await browser.get(v1({ prompt: "select_account" }))).action).toBe("/signin");
    expect((await browser.get(v1({ login_hint: `bob@${DOMAIN}` }))).fields["username"]).toBe(`bob@${DOMAIN}`);
    provider.clock.advance(60_000);
    expect((await browser.get(v1({ max_age: "60" }))).location).toContain("code=");
    expect((await browser.get(v1({ max_age: "59" }))).action).toBe("/signin");
  });

  test("auth_time comes with max_age", async () => {
    const signedInAtSeconds = provider.clock.now() / 1000;
    const posted = await browser.signIn(v2({ max_age: "1000" }), alice);
    expect(claimsOf(posted.fields["id_token"])["auth_time"]).toBe(signedInAtSeconds);
    const tokens = await redeem(2, posted.fields["code"] ?? null);
    expect(claimsOf(tokens.body["id_token"])["auth_time"]).toBe(signedInAtSeconds);
  });

  test.skipIf(postgresServer !== undefined)(
    "its cookie is __Host-, Secure, HttpOnly, SameSite=Lax; the database doesn't hold it",
    async () => {
      const answer = await browser.signIn(v1(), alice);
      expect(answer.headers["set-cookie"]).toMatch(
        /^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
      );
      const { readFileSync } = await import("node:fs");
      const text = readFileSync(`${provider.folder}/identity.db-wal`).toString("latin1");
      expect(text).not.toContain(browser.cookies.get("__Host-session"));
    },
  );

  test("ends with sign-out, a new password, a disabled account", async () => {
    const user = await provider.createUser("sam");
    const again = async () => (await browser.get(v1({ prompt: "none" }))).location;
    await browser.signIn(v1(), user);
    expect(await again()).toContain("code=");
    expect((await browser.get("/common/oauth2/logout")).text).toContain("Signed out");
    expect(await again()).toContain("error=login_required");
    await browser.signIn(v1(), user);
    provider.clock.advance(1000);
    await provider.manage("PATCH", `/users/${user}`, { passwordProfile: { password: "another password" } });
    expect(await again()).toContain("error=login_required");
    await browser.signIn(v1(), user, "another password");
    await provider.manage("PATCH", `/users/${user}`, { accountEnabled: false });
    expect(await again()).toContain("error=login_required");
  });
});

describe("the sign-in page", () => {
  test("asks again after a wrong password, without saying which was wrong", async () => {
    const wrong = await browser.signIn(v1(), alice, "wrong password");
    const unknown = await browser.signIn(v1(), `nobody@${DOMAIN}`, "wrong password");
    for (const view of [wrong, unknown]) {
      expect([view.status, view.action]).toEqual([200, "/signin"]);
      expect(view.text).toContain('role="alert"');
      expect(view.text).toContain("The user name or the password is wrong.");
    }
    expect((await browser.submit(wrong, { password: PASSWORD })).location).toContain("code=");
  });

  test("its form works only in the browser that was shown it", async () => {
    const page = await browser.get(v1());
    const attacker = new TestBrowser(provider);
    const stolen = await attacker.submit(page, { username: alice, password: PASSWORD });
    expect([stolen.status, stolen.location]).toEqual([400, undefined]);
    await attacker.get(v1());
    expect((await attacker.submit(page, { username: alice, password: PASSWORD })).status).toBe(400);
    expect((await browser.submit({ ...page, fields: { form: "forged" } }, {})).status).toBe(400);
    provider.clock.advance(31 * 60_000);
    expect((await browser.submit(page, { username: alice, password: PASSWORD })).status).toBe(400);
  });

  test("a password that must be changed is changed first", async () => {
    const user = await provider.createUser("nina", true);
    const page = await browser.signIn(v1(), user);
    expect(page.text).toContain("Choose a new password");
    const again = async (first: string, second: string) =>
      (await browser.submit(page, { new_password: first, repeated_password: second })).text;
    expect(await again("one password", "other password")).toContain("differ");
    expect(await again("short", "short")).toContain("8 to 256");
    expect(await again(PASSWORD, PASSWORD)).toContain("another one");
    const fields = { new_password: "a new password", repeated_password: "a new password" };
    const answer = await browser.agree(await browser.submit(page, fields));
    expect(answer.location).toContain("code=");
    expect((await redeem(1, answerOf(answer).get("code"), { resource: RESOURCE })).status).toBe(200);
    // The form proved a password that is gone now.
    expect((await browser.submit(page, fields)).location).toBeUndefined();
  });

  test("over plain http the browser is sent to the public address first", async () => {
    const response = await provider.app.inject({ url: v1(), headers: { "x-test-plain": "1", host: "evil.example" } });
    expect([response.statusCode, response.headers.location]).toEqual([307, PUBLIC_URL + v1()]);
  });

  test("a user of another tenant isn't admitted", async () => {
    const fabrikam = await provider.services.tenants.create({ displayName: "F", domain: "fabrikam.example" });
    await provider.services.users.create(fabrikam, {
      userPrincipalName: "fred@fabrikam.example",
      displayName: "Fred",
      password: PASSWORD,
    });
    const answer = await browser.signIn(v1(), "fred@fabrikam.example");
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(answer.text).toContain("STS50020");
    const silent = await browser.get(v1({ prompt: "none" }));
    expect(answerOf(silent).get("error")).toBe("interaction_required");
    expect(answerOf(silent).get("error_description")).toContain("STS50020");
  });
});
