import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestBrowser } from "../../../packages/identity/src/testing/test-browser.ts";
import { claimsOf, headerOf, PUBLIC_URL } from "../../../packages/identity/src/testing/test-provider.ts";
import {
  CHALLENGE,
  halfHash,
  NONCE,
  type Parameters,
  parametersOf,
  RelyingParty,
  REPLY_ADDRESS,
  REPLY_ADDRESS_WITH_QUERY,
  STATE,
  VERIFIER,
} from "./relying-party.ts";

/** The modules of the OpenID Connect plans (basic, implicit, hybrid, form post), from the specifications. */

let party: RelyingParty;
let browser: TestBrowser;
beforeAll(async () => {
  party = await RelyingParty.start();
});
afterAll(() => party.stop());
beforeEach(() => {
  browser = party.newBrowser();
});

const issuer = (): string => `${PUBLIC_URL}/${party.provider.tenant.id}/v2.0`;
const signIn = (more: Parameters = {}): Promise<URLSearchParams> => party.signIn(more, browser);
const again = async (more: Parameters = {}) => browser.get(party.authorizeUrl(more));

async function verified(idToken: unknown) {
  const { body } = await party.provider.get(`/${party.provider.tenant.id}/discovery/v2.0/keys`);
  const options = { issuer: issuer(), audience: party.web.appId, currentDate: new Date(party.provider.clock.now()) };
  return jwtVerify(String(idToken), createLocalJWKSet(body as unknown as JSONWebKeySet), options);
}

describe("response types × response modes (Core §3.1–3.3, Multiple Response Types §2–5, Form Post §2)", () => {
  const types = ["code", "id_token", "id_token token", "code id_token"];
  const cases = types.flatMap((type) =>
    ["", "query", "fragment", "form_post"]
      .filter((mode) => mode !== "query" || type === "code")
      .map((mode) => [type, mode] as const),
  );

  test.each(cases)("%s by %s: exactly what was asked for, state unchanged", async (type, mode) => {
    const view = await browser.signIn(
      party.authorizeUrl({ response_type: type, response_mode: mode, scope: "openid profile" }),
      party.alice,
    );
    const placed =
      view.location === undefined ? "form_post" : new URL(view.location).hash === "" ? "query" : "fragment";
    expect(placed).toBe(mode === "" ? (type === "code" ? "query" : "fragment") : mode);
    const answer = parametersOf(view);
    expect(answer.get("state")).toBe(STATE);
    expect(["code", "id_token", "access_token"].filter((name) => answer.has(name))).toEqual(
      ["code", "id_token", "access_token"].filter((name) => type.split(" ").includes(name.replace("access_", ""))),
    );
    expect(answer.get("token_type")).toBe(type.endsWith(" token") ? "Bearer" : null);
  });

  test.each(types.filter((type) => type.includes("id_token")))(
    "%s: the id token is signed, for this client, with nonce and the hashes of what is beside it (Core §3.2.2.10, §3.3.2.11)",
    async (type) => {
      const answer = await signIn({ response_type: type, scope: "openid profile" });
      const { payload } = await verified(answer.get("id_token"));
      const [code, accessToken] = [answer.get("code"), answer.get("access_token")];
      expect(payload["nonce"]).toBe(NONCE);
      expect(payload["c_hash"]).toBe(code === null ? undefined : halfHash(code));
      expect(payload["at_hash"]).toBe(accessToken === null ? undefined : halfHash(accessToken));
    },
  );

  test.each(types.filter((type) => type.includes("id_token")))(
    "%s without a nonce is invalid_request (Core §3.2.2.1)",
    async (type) => {
      const answer = parametersOf(await again({ response_type: type, nonce: "" }));
      expect([answer.get("error"), answer.get("state")]).toEqual(["invalid_request", STATE]);
    },
  );

  test.each(types.filter((type) => type !== "code"))("%s is never answered by query (MRT §3.0)", async (type) => {
    const view = await again({ response_type: type, response_mode: "query" });
    expect(new URL(view.location ?? "").search).toBe("");
    expect(parametersOf(view).get("error")).toBe("invalid_request");
  });

  test("a missing response_type is invalid_request (RFC 6749 §4.1.2.1)", async () => {
    expect(parametersOf(await again({ response_type: "" })).get("error")).toBe("invalid_request");
  });

  test("a form post is one form by POST to the reply address, and kept by no cache (Form Post §2)", async () => {
    const view = await browser.signIn(party.authorizeUrl({ response_mode: "form_post" }), party.alice);
    expect(view.text).toMatch(/<form[^>]*method="post"/i);
    expect([view.action, view.headers["cache-control"]]).toEqual([REPLY_ADDRESS, "no-store"]);
  });
});

describe("basic (Core §3.1)", () => {
  test("the id token of the code has every required claim and the nonce (Core §2, §3.1.3.7)", async () => {
    const { body, status } = await party.redeem(await party.newCode());
    expect(status).toBe(200);
    const { payload, protectedHeader } = await verified(body["id_token"]);
    expect(protectedHeader).toMatchObject({ alg: "RS256", kid: expect.any(String) as string });
    expect(payload).toMatchObject({ iss: issuer(), aud: party.web.appId, nonce: NONCE });
    expect(String(payload.sub).length).toBeLessThanOrEqual(255);
    expect(Number(payload.exp)).toBeGreaterThan(Number(payload.iat));
  });

  test("no nonce is invented (Core §3.1.2.1)", async () => {
    const { body } = await party.redeem(await party.newCode({ nonce: "" }));
    expect(claimsOf(body["id_token"])).not.toHaveProperty("nonce");
  });

  test("token answers are uncached Bearer JSON (Core §3.1.3.3)", async () => {
    const { body, headers } = await party.redeem(await party.newCode());
    expect(body).toMatchObject({ token_type: "Bearer", access_token: expect.any(String) as string });
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect([headers["cache-control"], headers["pragma"]]).toEqual(["no-store, no-cache", "no-cache"]);
  });

  test("without offline_access there is no refresh token, with it there is (Core §11)", async () => {
    expect((await party.redeem(await party.newCode())).body).not.toHaveProperty("refresh_token");
    const { body } = await party.redeem(await party.newCode({ scope: "openid offline_access" }));
    expect(body["refresh_token"]).toEqual(expect.any(String));
  });

  test("refreshed id tokens keep iss, sub and aud and have no later nonce (Core §12.2)", async () => {
    const { body } = await party.redeem(await party.newCode({ scope: "openid offline_access" }));
    const client = { client_id: party.web.appId, client_secret: "secret of web" };
    const refreshed = await party.refresh(body["refresh_token"], client);
    const [before, after] = [claimsOf(body["id_token"]), claimsOf(refreshed.body["id_token"])];
    expect([after["iss"], after["sub"], after["aud"]]).toEqual([before["iss"], before["sub"], before["aud"]]);
    expect([undefined, before["nonce"]]).toContain(after["nonce"]);
  });

  test("a refresh token is its client's alone (RFC 6749 §10.4)", async () => {
    const { body } = await party.redeem(await party.newCode({ scope: "openid offline_access" }));
    const client = { client_id: party.other.appId, client_secret: "secret of other" };
    expect((await party.refresh(body["refresh_token"], client)).body["error"]).toBe("invalid_grant");
  });

  test.each([
    ["client_secret_post", {}, {}],
    ["client_secret_basic", { client_id: "", client_secret: "" }, { basic: true }],
  ])("the client authenticates by %s (Core §9)", async (_way, fields, { basic }: { basic?: boolean }) => {
    const code = await party.newCode();
    const credentials = Buffer.from(`${party.web.appId}:${encodeURIComponent("secret of web")}`).toString("base64");
    const answer = await party.provider.token(
      2,
      {
        grant_type: "authorization_code",
        code,
        redirect_uri: REPLY_ADDRESS,
        client_id: party.web.appId,
        ...(basic === true ? {} : { client_secret: "secret of web" }),
        ...fields,
      },
      basic === true ? { headers: { authorization: `Basic ${credentials}` } } : {},
    );
    expect(answer.body["error_description"]).toBeUndefined();
  });

  test("a code counts once, and a second use takes back what the first gave (RFC 6749 §4.1.2)", async () => {
    const code = await party.newCode({ scope: "openid offline_access" });
    const first = await party.redeem(code);
    expect((await party.redeem(code)).body["error"]).toBe("invalid_grant");
    const client = { client_id: party.web.appId, client_secret: "secret of web" };
    expect((await party.refresh(first.body["refresh_token"], client)).body["error"]).toBe("invalid_grant");
  });

  test("a second use of a code takes back the access token, too (RFC 9700 §4.5)", async () => {
    const code = await party.newCode({ scope: "openid" });
    const { body } = await party.redeem(code);
    expect((await party.userInfo(body["access_token"])).status).toBe(200);
    await party.redeem(code);
    expect((await party.userInfo(body["access_token"])).status).toBe(401);
  });

  test("a code redeemed 30 seconds later is refused the same way (oidcc-codereuse-30seconds)", async () => {
    const code = await party.newCode();
    await party.redeem(code);
    party.provider.clock.advance(30_000);
    expect((await party.redeem(code)).body["error"]).toBe("invalid_grant");
  });

  test("the reply address keeps its own query (RFC 6749 §3.1.2)", async () => {
    const view = await browser.signIn(party.authorizeUrl({ redirect_uri: REPLY_ADDRESS_WITH_QUERY }), party.alice);
    expect(new URL(view.location ?? "").searchParams.get("kept")).toBe("1");
    expect(new URL(view.location ?? "").searchParams.get("code")).not.toBeNull();
  });

  test.each([
    ["another", `${REPLY_ADDRESS}/more`],
    ["a query added", `${REPLY_ADDRESS}?more=1`],
    ["a query changed", `${REPLY_ADDRESS}?kept=2`],
    ["a slash added", `${REPLY_ADDRESS}/`],
    ["a fragment added", `${REPLY_ADDRESS}#x`],
  ])("a reply address with %s isn't the registered one and gets no redirect (Core §3.1.2.1)", async (_what, uri) => {
    const view = await again({ redirect_uri: uri });
    expect([view.status, view.location, view.action]).toEqual([400, undefined, undefined]);
  });

  test("the redirect_uri at the token endpoint is the one of the request (Core §3.1.3.2)", async () => {
    const answer = await party.redeem(await party.newCode(), { redirect_uri: REPLY_ADDRESS_WITH_QUERY });
    expect(answer.body["error"]).toBe("invalid_grant");
  });

  test("PKCE S256 is honoured (RFC 7636 §4.6)", async () => {
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
    const code = await party.newCode(pkce);
    expect((await party.redeem(code, { code_verifier: "w".repeat(43) })).body["error"]).toBe("invalid_grant");
    expect((await party.redeem(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  test.each([
    ["display", { display: "popup" }],
    ["ui_locales", { ui_locales: "se" }],
    ["claims_locales", { claims_locales: "se" }],
    ["acr_values", { acr_values: "1 2" }],
    ["a parameter nobody knows", { extra: "foobar" }],
    ["claims that can't be given", { claims: '{"id_token":{"nobody_knows":{"essential":true}}}' }],
  ])("%s does no harm (Core §3.1.2.1, §15.1)", async (_what, more: Parameters) => {
    expect((await signIn(more)).get("code")).not.toBeNull();
  });

  test.each([
    ["request", "request_not_supported", { request: "eyJhbGciOiJub25lIn0.e30." }],
    ["request_uri", "request_uri_not_supported", { request_uri: "https://web.contoso.example/request" }],
    ["registration", "registration_not_supported", { registration: "{}" }],
  ])("%s is refused by its own word (Core §3.1.2.6, §6)", async (_what, error, more: Parameters) => {
    const answer = parametersOf(await again(more));
    expect([answer.get("error"), answer.get("state")]).toEqual([error, STATE]);
  });
});

describe("prompt, max_age and hints (Core §3.1.2.1)", () => {
  test("prompt=none without a session is login_required and shows nothing", async () => {
    const view = await again({ prompt: "none" });
    expect([view.status, parametersOf(view).get("error")]).toEqual([302, "login_required"]);
  });

  test("prompt=none with a session answers for the same subject", async () => {
    const first = await party.redeem((await signIn()).get("code") ?? "");
    const second = await party.redeem(parametersOf(await again({ prompt: "none" })).get("code") ?? "");
    expect(claimsOf(second.body["id_token"])["sub"]).toBe(claimsOf(first.body["id_token"])["sub"]);
  });

  test("prompt=none with anything else is invalid_request", async () => {
    expect(parametersOf(await again({ prompt: "none login" })).get("error")).toBe("invalid_request");
  });

  test("prompt=login asks although somebody is signed in, and the sign-in is a later one", async () => {
    const before = await party.redeem((await signIn({ max_age: "1000" })).get("code") ?? "");
    party.provider.clock.advance(5_000);
    const view = await again({ prompt: "login", max_age: "1000" });
    expect(view.location).toBeUndefined();
    const answer = parametersOf(
      await browser.submit(view, { username: party.alice, password: "correct horse battery" }),
    );
    const after = await party.redeem(answer.get("code") ?? "");
    expect(Number(claimsOf(after.body["id_token"])["auth_time"])).toBe(
      Number(claimsOf(before.body["id_token"])["auth_time"]) + 5,
    );
  });

  test("max_age that has passed asks again; one that hasn't doesn't; both tell auth_time", async () => {
    const before = await party.redeem((await signIn({ max_age: "10000" })).get("code") ?? "");
    party.provider.clock.advance(2_000);
    expect((await again({ max_age: "1" })).location).toBeUndefined();
    const after = await party.redeem(parametersOf(await again({ max_age: "10000" })).get("code") ?? "");
    expect(claimsOf(after.body["id_token"])["auth_time"]).toBe(claimsOf(before.body["id_token"])["auth_time"]);
  });

  test("max_age that has passed with prompt=none is login_required", async () => {
    await signIn();
    party.provider.clock.advance(2_000);
    expect(parametersOf(await again({ max_age: "1", prompt: "none" })).get("error")).toBe("login_required");
  });

  test("an id_token_hint for who is signed in is answered without a question", async () => {
    const idToken = (await signIn({ response_type: "id_token" })).get("id_token") ?? "";
    const answer = parametersOf(await again({ prompt: "none", id_token_hint: idToken }));
    expect(answer.get("code")).not.toBeNull();
  });

  test("an id_token_hint for somebody else never yields this one's tokens (Core §3.1.2.2)", async () => {
    const bobs = party.newBrowser();
    const url = party.authorizeUrl({ response_type: "id_token" });
    const idToken = parametersOf(await bobs.signIn(url, party.bob)).get("id_token") ?? "";
    await signIn();
    const answer = parametersOf(await again({ prompt: "none", id_token_hint: idToken }));
    expect([answer.get("code"), answer.get("error")]).toEqual([null, "login_required"]);
  });

  test("login_hint fills in the user name", async () => {
    expect((await again({ login_hint: party.bob })).fields["username"]).toBe(party.bob);
  });
});

describe("userinfo and scopes (Core §5.3, §5.4)", () => {
  const scopes = [
    ["openid", [], ["name", "email"]],
    ["openid profile", ["name"], ["email"]],
    ["openid email", ["email"], ["name"]],
    ["openid profile email", ["name", "email"], []],
  ] as const;
  test.each(scopes)("%s tells what it opens, and its sub is the id token's", async (scope, told, untold) => {
    const { body } = await party.redeem(await party.newCode({ scope }));
    const info = await party.userInfo(body["access_token"]);
    expect(info.status).toBe(200);
    expect(info.body["sub"]).toBe(claimsOf(body["id_token"])["sub"]);
    const idToken = claimsOf(body["id_token"]);
    for (const name of told) {
      expect([name, name in idToken]).toEqual([name, true]);
    }
    for (const name of untold) {
      expect([name, name in idToken]).toEqual([name, false]);
    }
  });

  test("by POST with the token in header or body; without one 401 and a challenge (RFC 6750 §2, §3)", async () => {
    const { body } = await party.redeem(await party.newCode());
    const token = String(body["access_token"]);
    const inBody = await party.provider.post("/oidc/userinfo", new URLSearchParams({ access_token: token }).toString());
    const inHeader = await party.provider.post("/oidc/userinfo", "", { authorization: `Bearer ${token}` });
    expect([inBody.status, inHeader.status]).toEqual([200, 200]);
    const without = await party.provider.get("/oidc/userinfo");
    expect([without.status, without.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  });

  test("pairwise: another client sees another sub (Core §8.1)", async () => {
    const here = await signIn({ response_type: "id_token" });
    const there = await signIn({
      response_type: "id_token",
      client_id: party.other.appId,
      redirect_uri: "https://other.contoso.example/back",
      prompt: "login",
    });
    expect(claimsOf(here.get("id_token"))["sub"]).not.toBe(claimsOf(there.get("id_token"))["sub"]);
  });
});

describe("config: discovery says what is so (Discovery §3, §4)", () => {
  test("the issuer is the document's own address without the well-known part", async () => {
    const { body } = await party.discovery();
    expect(body["issuer"]).toBe(issuer());
  });

  test("every required member is there and every address is https under the issuer's origin", async () => {
    const { body } = await party.discovery();
    for (const name of [
      "authorization_endpoint",
      "token_endpoint",
      "jwks_uri",
      "userinfo_endpoint",
      "end_session_endpoint",
    ]) {
      expect(String(body[name])).toMatch(new RegExp(`^${PUBLIC_URL}/`));
    }
    expect(body["response_types_supported"]).toContain("code");
    expect(body["subject_types_supported"]).toEqual(["pairwise"]);
    expect(body["id_token_signing_alg_values_supported"]).toContain("RS256");
  });

  test("the key set has each key once, with kid and use, without private parts; tokens name one of it (Core §10.1)", async () => {
    const { body } = await party.provider.get(`/${party.provider.tenant.id}/discovery/v2.0/keys`);
    const keys = body["keys"] as readonly Record<string, unknown>[];
    expect(new Set(keys.map((key) => key["kid"])).size).toBe(keys.length);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: "RSA", use: "sig", kid: expect.any(String) as string });
      expect(["d", "p", "q", "dp", "dq", "qi", "k"].filter((name) => name in key)).toEqual([]);
    }
    const idToken = (await signIn({ response_type: "id_token" })).get("id_token");
    expect(keys.map((key) => key["kid"])).toContain(headerOf(idToken)["kid"]);
  });

  test("every response type and mode that is advertised is served, none besides", async () => {
    const { body } = await party.discovery();
    for (const type of body["response_types_supported"] as string[]) {
      const answer = await party.signIn({ response_type: type, scope: "openid profile" });
      expect([type, answer.get("error")]).toEqual([type, null]);
    }
    for (const mode of body["response_modes_supported"] as string[]) {
      const view = await party.newBrowser().signIn(party.authorizeUrl({ response_mode: mode }), party.alice);
      expect(parametersOf(view).get("code")).not.toBeNull();
    }
    const other = parametersOf(await again({ response_type: "code token" }));
    expect(other.get("error")).toBe("unsupported_response_type");
  });

  test("every endpoint that is advertised is there", async () => {
    const { body } = await party.discovery();
    for (const [name, value] of Object.entries(body).filter(([key]) => /_(endpoint|uri)$/.test(key))) {
      const { pathname } = new URL(String(value));
      const response = await party.provider.app.inject({ method: "GET", url: pathname });
      expect([name, response.statusCode]).not.toEqual([name, 404]);
    }
  });

  test("iss is in every authorization answer, errors too (RFC 9207 §2)", async () => {
    const { body } = await party.discovery();
    expect(body["authorization_response_iss_parameter_supported"]).toBe(true);
    expect((await signIn()).get("iss")).toBe(issuer());
    expect(parametersOf(await party.newBrowser().get(party.authorizeUrl({ prompt: "none" }))).get("iss")).toBe(
      issuer(),
    );
  });
});
