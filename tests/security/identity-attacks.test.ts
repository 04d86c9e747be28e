import { createHash, createHmac, generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readCertificate } from "../../packages/identity/src/applications/client-certificate.ts";
import {
  type ClientIdentity,
  createClientIdentity,
  signAssertion,
  x5t,
} from "../../packages/identity/src/testing/client-certificates.ts";
import { type TestBrowser } from "../../packages/identity/src/testing/test-browser.ts";
import { claimsOf, headerOf, PASSWORD, PUBLIC_URL } from "../../packages/identity/src/testing/test-provider.ts";
import {
  CHALLENGE,
  type Parameters,
  parametersOf,
  PUBLIC_REPLY_ADDRESS,
  REPLY_ADDRESS,
  RelyingParty,
  RESOURCE,
  VERIFIER,
} from "../conformance/openid/relying-party.ts";

/** Attacks of RFC 9700 (OAuth security), RFC 8725 (JWT) and RFC 6819 (threat model), one test per row that applies. */

let party: RelyingParty;
let browser: TestBrowser;
beforeAll(async () => {
  party = await RelyingParty.start();
});
afterAll(() => party.stop());
beforeEach(() => {
  browser = party.newBrowser();
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const attacker = generateKeyPairSync("rsa", { modulusLength: 2048 });
const attackerJwk = attacker.publicKey.export({ format: "jwk" });

describe("access tokens brought back to us (RFC 8725)", () => {
  let token: string;
  let publicPem: string;
  beforeAll(async () => {
    token = String((await party.redeem(await party.newCode())).body["access_token"]);
    const { body } = await party.provider.get(`/${party.provider.tenant.id}/discovery/v2.0/keys`);
    const { createPublicKey } = await import("node:crypto");
    const [key] = body["keys"] as [Record<string, string>];
    publicPem = String(createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" }));
  });

  test("the token itself is good, or the refusals below would prove nothing", async () => {
    expect((await party.userInfo(token)).status).toBe(200);
  });

  const head = (more: object): object => ({ ...headerOf(token), ...more });
  const foreign = (more: object): string => signAssertion(head(more), claimsOf(token), attacker.privateKey);
  const forgeries: readonly (readonly [string, () => string])[] = [
    ["§2.1 alg none", () => `${encode(head({ alg: "none" }))}.${encode(claimsOf(token))}.`],
    [
      "§2.1 alg NoNe with the old signature",
      () => `${encode(head({ alg: "NoNe" }))}.${token.split(".").slice(1).join(".")}`,
    ],
    [
      "§2.1 HS256 keyed with the public key",
      () => {
        const text = `${encode(head({ alg: "HS256" }))}.${encode(claimsOf(token))}`;
        return `${text}.${createHmac("sha256", publicPem).update(text).digest("base64url")}`;
      },
    ],
    [
      "§3.1 another algorithm's name over the right key",
      () => `${encode(head({ alg: "RS512" }))}.${token.split(".").slice(1).join(".")}`,
    ],
    ["§3.3 no signature", () => `${token.split(".").slice(0, 2).join(".")}.`],
    [
      "§3.3 claims changed",
      () => [token.split(".")[0], encode({ ...claimsOf(token), oid: "x" }), token.split(".")[2]].join("."),
    ],
    ["§3.10 another's key under our kid", () => foreign({})],
    ["§3.10 an unknown kid", () => foreign({ kid: "unknown" })],
    ["§3.10 a kid that is a path", () => foreign({ kid: "../../dev/null" })],
    ["§3.10 a kid that is a query", () => foreign({ kid: "' OR 1=1 --" })],
    ["§3.10 no kid", () => foreign({ kid: undefined })],
    ["§3.10 jku", () => foreign({ jku: "https://evil.example/keys" })],
    ["§3.10 x5u", () => foreign({ x5u: "https://evil.example/cert.pem" })],
    ["§3.10 an embedded jwk", () => foreign({ jwk: attackerJwk })],
    ["§3.10 an embedded x5c", () => foreign({ x5c: ["AAAA"] })],
    ["§3.9 RFC 7515 §4.1.11 crit", () => foreign({ crit: ["exp"] })],
    ["§2.4 five parts", () => `${token}.AAAA.AAAA`],
    ["§2.4 longer than anything we make", () => `${token}${"A".repeat(20_000)}`],
  ];
  test.each(forgeries)("%s", async (_row, forge) => {
    const { status, headers } = await party.userInfo(forge());
    expect([status, headers["www-authenticate"]]).toEqual([401, expect.stringContaining("Bearer")]);
  });

  test("§2.8, §3.11 an id token is no access token, though signed by the same key", async () => {
    const { body } = await party.redeem(await party.newCode());
    expect((await party.userInfo(body["id_token"])).status).toBe(401);
  });

  test("§2.8, §3.11 an access token is no id_token_hint", async () => {
    const { body } = await party.redeem(await party.newCode());
    const view = await browser.get(party.authorizeUrl({ id_token_hint: String(body["access_token"]) }));
    expect(parametersOf(view).get("error")).toBe("invalid_request");
  });

  test("§3.1, §3.10 a forged id_token_hint is refused before it steers anything", async () => {
    const idToken = (await party.redeem(await party.newCode())).body["id_token"];
    const forged = signAssertion(headerOf(idToken), claimsOf(idToken), attacker.privateKey);
    const view = await browser.get(party.authorizeUrl({ id_token_hint: forged }));
    expect(parametersOf(view).get("error")).toBe("invalid_request");
  });
});

describe("client assertions (RFC 8725, RFC 7523 §3)", () => {
  let identity: ClientIdentity;
  let clientId: string;
  beforeAll(async () => {
    const now = party.provider.clock.now();
    identity = await createClientIdentity(new Date(now - 86_400_000), new Date(now + 86_400_000));
    const client = await party.provider.createApplication("signer");
    await party.provider.services.applications.addCertificate(client.id, readCertificate(identity.pem), "");
    clientId = client.appId;
  });
  const claims = (more: object = {}): object => ({
    aud: `${PUBLIC_URL}/${party.provider.tenant.id}/oauth2/v2.0/token`,
    iss: clientId,
    sub: clientId,
    jti: crypto.randomUUID(),
    exp: party.provider.clock.now() / 1000 + 600,
    ...more,
  });
  const header = (more: object = {}): object => ({ alg: "RS256", x5t: x5t(identity), ...more });
  const send = (assertion: string) =>
    party.provider.token(2, {
      grant_type: "client_credentials",
      scope: `${RESOURCE}/.default`,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    });

  test("the honest one is good, or the refusals below would prove nothing", async () => {
    expect((await send(signAssertion(header(), claims(), identity.privateKey))).status).toBe(200);
  });

  const stolen = (more: object): string => signAssertion(header(more), claims(), attacker.privateKey);
  const own = (more: object, head: object = {}): string =>
    signAssertion(header(head), claims(more), identity.privateKey);
  const rows: readonly (readonly [string, () => string])[] = [
    ["RFC 8725 §2.1 alg none", () => `${encode(header({ alg: "none" }))}.${encode(claims())}.AA`],
    [
      "RFC 8725 §2.1 HS256 keyed with the certificate",
      () => {
        const text = `${encode(header({ alg: "HS256" }))}.${encode(claims())}`;
        return `${text}.${createHmac("sha256", identity.pem).update(text).digest("base64url")}`;
      },
    ],
    ["RFC 8725 §3.1 an algorithm named like a property of every object", () => own({}, { alg: "constructor" })],
    ["RFC 8725 §3.10 jwk in the header", () => stolen({ x5t: undefined, jwk: attackerJwk })],
    ["RFC 8725 §3.10 jku in the header", () => stolen({ x5t: undefined, jku: "https://evil.example/" })],
    ["RFC 8725 §3.10 x5u in the header", () => stolen({ x5t: undefined, x5u: "https://evil.example/" })],
    ["RFC 8725 §3.10 another's key under the right thumbprint", () => stolen({})],
    ["RFC 7515 §4.1.11 crit", () => own({}, { crit: ["b64"], b64: true })],
    ["RFC 7523 §3(3) another's audience", () => own({ aud: "https://evil.example/token" })],
    ["RFC 7523 §3(3) our address as a prefix only", () => own({ aud: `${PUBLIC_URL}.evil.example/token` })],
    ["RFC 7523 §3(4) without an end", () => own({ exp: undefined })],
    ["RFC 7523 §3(4) over", () => own({ exp: party.provider.clock.now() / 1000 - 3_600 })],
    ["RFC 7523 §3(1) another's issuer", () => own({ iss: party.web.appId })],
    ["RFC 7523 §3(2) another's subject", () => own({ sub: party.web.appId, iss: party.web.appId })],
  ];
  test.each(rows)("%s", async (_row, forge) => {
    expect((await send(forge())).body["error"]).toMatch(/^(unauthorized_client|invalid_client)$/);
  });
});

describe("codes and PKCE (RFC 9700 §2.1.1, §4.5, §4.8)", () => {
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };

  test("§4.8 downgrade: a challenge was sent, so a redemption without a verifier is refused", async () => {
    expect((await party.redeem(await party.newCode(pkce))).body["error"]).toBe("invalid_grant");
  });

  test("§4.8 downgrade: the challenge was stripped, so a redemption with a verifier is refused", async () => {
    const answer = await party.redeem(await party.newCode(), { code_verifier: VERIFIER });
    expect(answer.body["error"]).toBe("invalid_grant");
  });

  test("§4.8 the S256 challenge itself is no verifier", async () => {
    const answer = await party.redeem(await party.newCode(pkce), { code_verifier: CHALLENGE });
    expect(answer.body["error"]).toBe("invalid_grant");
  });

  test("§2.1.1 a public client can't leave PKCE out", async () => {
    const request = { client_id: party.public.appId, redirect_uri: PUBLIC_REPLY_ADDRESS };
    expect(parametersOf(await browser.get(party.authorizeUrl(request))).get("error")).toBe("invalid_request");
  });

  test("§4.5 injection: another client can't redeem a code, and the owner still can", async () => {
    const code = await party.newCode();
    const thief = { client_id: party.other.appId, client_secret: "secret of other" };
    expect((await party.redeem(code, thief)).body["error"]).toBe("invalid_grant");
    expect((await party.redeem(code)).status).toBe(200);
  });

  test("§4.5 two redemptions at once: one wins, and nothing of it lasts", async () => {
    const code = await party.newCode({ scope: "openid offline_access" });
    const answers = await Promise.all([party.redeem(code), party.redeem(code)]);
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 400]);
    const won = answers.find(({ status }) => status === 200);
    const client = { client_id: party.web.appId, client_secret: "secret of web" };
    expect((await party.refresh(won?.body["refresh_token"], client)).body["error"]).toBe("invalid_grant");
  });

  test("RFC 6819 §4.4.1.1 the database holds no code as it was given", async () => {
    const code = await party.newCode();
    const { readFileSync } = await import("node:fs");
    const bytes = readFileSync(`${party.provider.folder}/identity.db-wal`);
    expect(bytes.includes(createHash("sha256").update(code).digest())).toBe(true);
    expect(bytes.includes(code)).toBe(false);
  });
});

describe("refresh tokens (RFC 9700 §4.14)", () => {
  test("§4.14.2 re-use after the grace period ends the whole family", async () => {
    const client = { client_id: party.public.appId };
    const request = { ...client, redirect_uri: PUBLIC_REPLY_ADDRESS, code_challenge: CHALLENGE };
    const code = await party.newCode({ ...request, code_challenge_method: "S256", scope: "openid offline_access" });
    const first = await party.redeem(code, {
      ...client,
      client_secret: "",
      redirect_uri: PUBLIC_REPLY_ADDRESS,
      code_verifier: VERIFIER,
    });
    const second = await party.refresh(first.body["refresh_token"], client);
    expect(second.status).toBe(200);
    party.provider.clock.advance(31_000);
    expect((await party.refresh(first.body["refresh_token"], client)).body["error"]).toBe("invalid_grant");
    expect((await party.refresh(second.body["refresh_token"], client)).body["error"]).toBe("invalid_grant");
  });
});

describe("redirects (RFC 9700 §2.1, §4.1, §4.11, §4.12)", () => {
  const tricks = [
    "https://web.contoso.example.evil.example/back",
    "https://evil.example/https://web.contoso.example/back",
    "https://web.contoso.example@evil.example/back",
    "https://web.contoso.example:443@evil.example/back",
    "https://web.contoso.example/back/../../evil",
    "https://web.contoso.example/back%2f..%2fevil",
    "https://web.contoso.example/back%00",
    "https://web.contoso.example\\@evil.example/back",
    "https://web.contoso.example/back\r\nLocation: https://evil.example",
    "https://web.contoso.example?x/back",
    "https:/web.contoso.example/back",
    "https:\\\\web.contoso.example/back",
    "https://web.contoso.example\t/back",
    "//evil.example/back",
    "javascript:alert(1)//https://web.contoso.example/back",
    "data:text/html,x",
    "HTTPS://evil.example/back",
    " https://evil.example/back",
  ];
  test.each(tricks)("§4.1.3 %j is not followed, nor written into a header", async (uri) => {
    for (const more of [{}, { prompt: "none" }, { response_type: "nonsense" }]) {
      const view = await browser.get(party.authorizeUrl({ redirect_uri: uri, ...more }));
      expect([view.status, view.location, view.action]).toEqual([400, undefined, undefined]);
    }
  });

  test("§4.11.1 sign-out follows registered addresses only", async () => {
    const query = new URLSearchParams({
      post_logout_redirect_uri: "https://evil.example/",
      client_id: party.web.appId,
    }).toString();
    const view = await browser.get(`/common/oauth2/v2.0/logout?${query}`);
    expect([view.status, view.location]).toEqual([200, undefined]);
    expect(view.text).not.toContain("evil.example");
  });

  test("§4.12 after a password the redirect is one that doesn't repeat the POST", async () => {
    const view = await browser.signIn(party.authorizeUrl(), party.alice);
    expect([302, 303]).toContain(view.status);
  });

  test("RFC 6819 §4.4.1.8 a state with line breaks stays inside its parameter", async () => {
    const state = "x\r\nSet-Cookie: a=b";
    const view = await browser.get(party.authorizeUrl({ state, prompt: "none" }));
    expect(parametersOf(view).get("state")).toBe(state);
    expect(view.location).not.toMatch(/[\r\n]/);
    expect(view.headers["set-cookie"]).toBeUndefined();
  });

  test("§4.4 mix-up: answers and refusals name their issuer", async () => {
    const issuer = `${PUBLIC_URL}/${party.provider.tenant.id}/v2.0`;
    expect(parametersOf(await browser.get(party.authorizeUrl({ prompt: "none" }))).get("iss")).toBe(issuer);
    expect((await party.signIn()).get("iss")).toBe(issuer);
  });
});

describe("pages, cookies and caches (RFC 9700 §4.2, §4.7, §4.16; RFC 6819 §4.4.1.8–9)", () => {
  test("§4.16 no page may be framed; §4.2.4 none tells its address on", async () => {
    const bad = party.authorizeUrl({ client_id: "11111111-2222-4333-8444-555555555555" });
    for (const url of [party.authorizeUrl(), bad, "/common/oauth2/v2.0/logout"]) {
      const { headers } = await browser.get(url);
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect([headers["x-frame-options"], headers["referrer-policy"]]).toEqual(["DENY", "no-referrer"]);
      expect([headers["x-content-type-options"], headers["cache-control"]]).toEqual(["nosniff", "no-store"]);
    }
  });

  test("§4.2.4 redirects with a code are kept by no cache and tell no referrer", async () => {
    const { headers } = await browser.signIn(party.authorizeUrl(), party.alice);
    expect([headers["cache-control"], headers["referrer-policy"]]).toEqual(["no-store", "no-referrer"]);
  });

  test("RFC 6819 §4.4.1.9 what a request says can't become markup", async () => {
    const { text } = await browser.get(party.authorizeUrl({ login_hint: '"><script>alert(1)</script>' }));
    expect(text).toContain("&quot;&gt;&lt;script&gt;");
    expect(text).not.toContain("<script>alert");
  });

  test("§4.7 CSRF: a form made up elsewhere, or shown to another browser, signs nobody in", async () => {
    const credentials = { username: party.alice, password: PASSWORD };
    const page = await browser.get(party.authorizeUrl());
    const victim = party.newBrowser();
    await victim.get(party.authorizeUrl());
    for (const form of [page.fields["form"] ?? "", "", "forged"]) {
      const view = await victim.post("/signin", { ...credentials, form });
      expect([view.status, view.location]).toEqual([400, undefined]);
    }
    expect((await victim.get(party.authorizeUrl({ prompt: "none" }))).location).toContain("error=login_required");
    expect(parametersOf(await browser.agree(await browser.submit(page, credentials))).get("code")).not.toBeNull();
  });

  test("session fixation: a session's key known before the sign-in opens nothing after it (OWASP Session)", async () => {
    const planted = "A".repeat(43);
    browser.cookies.set("__Host-session", planted);
    const view = await browser.signIn(party.authorizeUrl(), party.alice);
    expect(parametersOf(view).get("code")).not.toBeNull();
    expect(browser.cookies.get("__Host-session")).not.toContain(planted);
  });

  test("every cookie is __Host-, Secure, HttpOnly and SameSite (OWASP Session)", async () => {
    const page = await browser.get(party.authorizeUrl());
    const answer = await browser.submit(page, { username: party.alice, password: PASSWORD });
    const cookies = [page, answer].flatMap(({ headers }) => headers["set-cookie"] ?? []).map(String);
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax/);
    }
  });
});

describe("requests that lie or overflow", () => {
  const grant = (): Parameters => ({
    grant_type: "client_credentials",
    client_id: party.web.appId,
    client_secret: "secret of web",
    scope: `${RESOURCE}/.default`,
  });
  const post = (body: string) => party.provider.post(`/${party.provider.tenant.id}/oauth2/v2.0/token`, body);

  test.each(["grant_type", "client_id", "client_secret", "scope"])(
    "RFC 6749 §3.2 %s twice is refused, the same or another",
    async (name) => {
      const body = new URLSearchParams(grant()).toString();
      expect((await post(body)).status).toBe(200);
      for (const value of [grant()[name] ?? "", "other"]) {
        const answer = await post(`${body}&${new URLSearchParams({ [name]: value }).toString()}`);
        expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_request"]);
      }
    },
  );

  test.each(["client_id", "redirect_uri"])(
    "RFC 6749 §3.1 %s twice at the authorize endpoint is refused on a page",
    async (name) => {
      const view = await browser.get(`${party.authorizeUrl()}&${name}=other`);
      expect([view.status, view.location, view.action]).toEqual([400, undefined, undefined]);
    },
  );

  test.each(["response_type", "scope", "state", "nonce", "code_challenge"])(
    "RFC 6749 §4.1.2.1 %s twice at the authorize endpoint: the client is told, and gets nothing",
    async (name) => {
      const view = await browser.get(`${party.authorizeUrl({ code_challenge: CHALLENGE })}&${name}=other`);
      const answer = new URL(view.location ?? "");
      expect(`${answer.origin}${answer.pathname}`).toBe(REPLY_ADDRESS);
      expect([answer.searchParams.get("error"), answer.searchParams.get("code")]).toEqual(["invalid_request", null]);
    },
  );

  test("RFC 6749 §2.3 two ways of authenticating at once are refused", async () => {
    const basic = Buffer.from(`${party.web.appId}:secret of web`).toString("base64");
    const answer = await party.provider.token(2, grant(), { headers: { authorization: `Basic ${basic}` } });
    expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_request"]);
  });

  test("RFC 9700 §4.3 secrets and codes in the address of a token request don't count", async () => {
    const url = `/${party.provider.tenant.id}/oauth2/v2.0/token?${new URLSearchParams(grant()).toString()}`;
    expect((await party.provider.post(url, "")).status).toBe(400);
  });

  test("RFC 6819 §4.6.6 token answers and refusals are kept by no cache", async () => {
    for (const answer of [await party.provider.token(2, grant()), await post("grant_type=x")]) {
      expect([answer.headers["cache-control"], answer.headers["pragma"]]).toEqual(["no-store, no-cache", "no-cache"]);
    }
  });

  test("oversized: a form over the limit is 413, one with too many fields 400", async () => {
    expect((await post(`grant_type=${"x".repeat(200_000)}`)).status).toBe(413);
    const many = Array.from({ length: 200 }, (_, index) => `f${index}=1`).join("&");
    expect((await post(many)).body["error"]).toBe("invalid_request");
  });

  test("RFC 6819 §4.4.3.6 / OWASP Authentication: unknown user and wrong password get one answer", async () => {
    const ask = async (username: string) => {
      const view = await browser.get(party.authorizeUrl());
      const answer = await browser.submit(view, { username, password: "wrong password" });
      const alert = /role="alert"[^>]*>([^<]*)</.exec(answer.text)?.[1];
      return [answer.status, alert, Object.keys(answer.fields)];
    };
    const known = await ask(party.bob);
    expect(known[1]).toEqual(expect.stringMatching(/\w/));
    expect(await ask("nobody@contoso.example")).toEqual(known);
  });
});
