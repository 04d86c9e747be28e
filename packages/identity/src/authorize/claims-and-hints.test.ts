import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { pairwiseSubject } from "../tokens/pairwise-subject.ts";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { claimsOf, DOMAIN, PASSWORD, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let web: Application;
let alice: string;
let bob: string;
const BACK = "https://web.contoso.example/back";

beforeAll(async () => {
  provider = await TestProvider.start();
  const optionalClaims = {
    idToken: [],
    accessToken: [{ name: "xms_cc", source: null, essential: false, additionalProperties: [] }],
    saml2Token: [],
  };
  await provider.createApplication("api", { tokenVersion: 2, optionalClaims }, ["api://orders"]);
  web = await provider.createConfidential("web", {
    redirectUris: [{ uri: BACK, type: "web" }],
    issuesIdTokensImplicitly: true,
  });
  alice = await provider.createUser("alice");
  bob = await provider.createUser("bob");
});
afterAll(() => provider.stop());
beforeEach(() => {
  browser = new TestBrowser(provider);
});

const request = (more: Record<string, string> = {}): string =>
  `/common/oauth2/v2.0/authorize?${new URLSearchParams({
    client_id: web.appId,
    redirect_uri: BACK,
    response_type: "code",
    scope: "openid api://orders/user_impersonation",
    ...more,
  }).toString()}`;
const answerOf = (view: View): URLSearchParams => {
  const url = new URL(view.location ?? "");
  return url.hash === "" ? url.searchParams : new URLSearchParams(url.hash.slice(1));
};
const redeem = (view: View, more: Record<string, string> = {}) =>
  provider.token(2, {
    grant_type: "authorization_code",
    code: answerOf(view).get("code") ?? "",
    client_id: web.appId,
    client_secret: "secret of web",
    redirect_uri: BACK,
    ...more,
  });
const refused = async (claims: string): Promise<URLSearchParams> => answerOf(await browser.get(request({ claims })));

describe("claims", () => {
  test("of the id token come in it, wherever it is made", async () => {
    const claims = JSON.stringify({
      id_token: { auth_time: { essential: true }, given_name: null, email: null, name: null, acr: null, unknown: null },
    });
    const wanted = {
      auth_time: Math.floor(provider.clock.now() / 1000),
      given_name: "alice",
      email: "alice@mail.example",
      name: "alice",
      acr: "1",
    };
    const view = await browser.signIn(request({ claims }), alice);
    const fromCode = claimsOf((await redeem(view)).body["id_token"]);
    expect(fromCode).toMatchObject(wanted);
    expect(fromCode).not.toHaveProperty("unknown");
    const implicit = await browser.get(request({ claims, response_type: "id_token", nonce: "n" }));
    expect(claimsOf(answerOf(implicit).get("id_token"))).toMatchObject(wanted);
    const plain = claimsOf((await redeem(await browser.get(request()))).body["id_token"]);
    expect(plain).not.toHaveProperty("given_name");
    expect(plain).not.toHaveProperty("auth_time");
  });

  test("xms_cc reaches resources that want to know, from either request", async () => {
    const claims = JSON.stringify({ access_token: { xms_cc: { values: ["cp1"] } } });
    const view = await browser.signIn(request({ claims }), alice);
    expect(claimsOf((await redeem(view)).body["access_token"])["xms_cc"]).toEqual(["cp1"]);
    const later = await redeem(await browser.get(request()), { claims });
    expect(claimsOf(later.body["access_token"])["xms_cc"]).toEqual(["cp1"]);
    const never = await redeem(await browser.get(request()));
    expect(claimsOf(never.body["access_token"])).not.toHaveProperty("xms_cc");
  });

  test("sub with a value lets only that user answer", async () => {
    await browser.signIn(request(), alice);
    await browser.signIn(request({ prompt: "login" }), bob);
    const user = await provider.services.users.findByName(provider.tenant.id, alice);
    const value = pairwiseSubject(provider.tenant, web.appId, user?.id ?? "");
    const claims = JSON.stringify({ id_token: { sub: { value } } });
    const answer = await browser.get(request({ claims, prompt: "none" }));
    expect(claimsOf((await redeem(answer)).body["id_token"])["sub"]).toBe(value);
    const stranger = JSON.stringify({ id_token: { sub: { value: "somebody" } } });
    const nobody = answerOf(await browser.get(request({ claims: stranger, prompt: "none" })));
    expect(nobody.get("error")).toBe("login_required");
  });

  test.each(["{", "[]", '"x"', '{"id_token":1}', '{"access_token":{"a":1}}', '{"userinfo":{"a":{"values":1}}}'])(
    "%s is refused at the reply address",
    async (claims) => {
      const answer = await refused(claims);
      expect(answer.get("error")).toBe("invalid_request");
      expect(answer.get("error_description")).toContain("'claims'");
    },
  );

  test.each([
    { access_token: { acrs: { essential: true, value: "c1" } } },
    { id_token: { acrs: { essential: true, values: ["c1", "c2"] } } },
    { id_token: { acr: { essential: true, values: ["phr"] } } },
  ])("a way of signing in that there isn't is refused: %o", async (claims) => {
    const answer = await refused(JSON.stringify(claims));
    expect(answer.get("error")).toBe("unmet_authentication_requirements");
    expect(answer.get("iss")).toBeTruthy();
    const token = await provider.token(2, {
      grant_type: "client_credentials",
      client_id: web.appId,
      client_secret: "secret of web",
      scope: "api://orders/.default",
      claims: JSON.stringify(claims),
    });
    expect(token.body).toMatchObject({ error: "unmet_authentication_requirements", error_codes: [9002335] });
  });

  test("one that is only wished for is passed over", async () => {
    const claims = JSON.stringify({ access_token: { acrs: { values: ["c1"] } }, id_token: { acr: { values: ["x"] } } });
    expect((await redeem(await browser.signIn(request({ claims }), alice))).status).toBe(200);
  });
});

describe("the session in tokens", () => {
  test("sid is the same in every token of the sign-in, and after a refresh", async () => {
    const view = await browser.signIn(request({ scope: "openid offline_access api://orders/.default" }), alice);
    const sid = answerOf(view).get("session_state");
    const { body } = await redeem(view);
    expect(claimsOf(body["id_token"])["sid"]).toBe(sid);
    expect(claimsOf(body["access_token"])["sid"]).toBe(sid);
    const refresh = await provider.token(2, {
      grant_type: "refresh_token",
      refresh_token: String(body["refresh_token"]),
      client_id: web.appId,
      client_secret: "secret of web",
    });
    expect(claimsOf(refresh.body["id_token"])["sid"]).toBe(sid);
  });

  test("a revoked refresh token takes the access tokens of its sign-in along, and no others", async () => {
    const scope = "openid offline_access api://orders/.default";
    const first = await redeem(await browser.signIn(request({ scope }), alice));
    const second = await redeem(await browser.get(request({ scope })));
    const revoke = new URLSearchParams({
      token: String(first.body["refresh_token"]),
      client_id: web.appId,
      client_secret: "secret of web",
    });
    await provider.post(`/${provider.tenant.id}/oauth2/v2.0/revoke`, revoke.toString());
    const userInfo = (token: unknown) => provider.get("/oidc/userinfo", { authorization: `Bearer ${String(token)}` });
    expect((await userInfo(first.body["access_token"])).status).toBe(401);
    expect((await userInfo(second.body["access_token"])).status).toBe(200);
    const introspect = new URLSearchParams({
      token: String(first.body["access_token"]),
      client_id: web.appId,
      client_secret: "secret of web",
    });
    const judged = await provider.post(`/${provider.tenant.id}/oauth2/v2.0/introspect`, introspect.toString());
    expect(judged.body).toEqual({ active: false });
  });
});

describe("domain_hint", () => {
  let fabrikam: string;
  beforeAll(async () => {
    const tenant = await provider.services.tenants.create({ displayName: "Fabrikam", domain: "fabrikam.example" });
    const shared = await provider.services.applications.findByAppId(web.appId);
    await provider.services.applications.update(shared!, { document: { isMultiTenant: true } });
    fabrikam = "carol@fabrikam.example";
    await provider.services.users.create(tenant, {
      userPrincipalName: fabrikam,
      displayName: "Carol",
      password: PASSWORD,
    });
  });

  test("a domain of ours on common chooses among the sessions", async () => {
    const scope = "openid";
    await browser.signIn(request({ scope }), alice);
    await browser.signIn(request({ scope, prompt: "login" }), fabrikam);
    const several = await browser.get(request({ scope, prompt: "none" }));
    expect(answerOf(several).get("error")).toBe("interaction_required");
    for (const [domain_hint, name] of [
      ["fabrikam.example", fabrikam],
      [DOMAIN, alice],
    ] as const) {
      const more = { scope: "openid profile", response_type: "id_token", nonce: "n", prompt: "none", domain_hint };
      const answer = answerOf(await browser.get(request(more)));
      expect(claimsOf(answer.get("id_token"))["preferred_username"]).toBe(name);
    }
  });

  test.each(["organizations", "consumers", "elsewhere.example"])("%s changes nothing", async (domain_hint) => {
    await browser.signIn(request(), alice);
    expect(answerOf(await browser.get(request({ domain_hint }))).get("code")).toBeTruthy();
  });

  test("a user name without a domain is of the hinted one", async () => {
    const page = await browser.get(request({ scope: "openid", domain_hint: "fabrikam.example" }));
    const consent = await browser.submit(page, { username: "carol", password: PASSWORD });
    expect((await browser.agree(consent)).location).toContain("code=");
  });
});

describe("prompts", () => {
  test("create says who makes accounts, and lets those sign in who have one", async () => {
    await browser.signIn(request(), alice);
    const page = await browser.get(request({ prompt: "create" }));
    expect(page.text).toContain("made by an administrator");
    const answer = await browser.submit(page, { username: bob, password: PASSWORD });
    expect((await browser.agree(answer)).location).toContain("code=");
  });

  test("who cancels goes back to the client, which learns that it was on purpose", async () => {
    const page = await browser.get(request({ state: "s" }));
    const answer = answerOf(await browser.submit(page, { cancel: "yes" }));
    expect(Object.fromEntries(answer)).toMatchObject({
      error: "access_denied",
      error_subcode: "cancel",
      state: "s",
      iss: `${PUBLIC_URL}/{tenantid}/v2.0`,
    });
    const consent = await browser.submit(await browser.get(request({ prompt: "consent" })), {
      username: alice,
      password: PASSWORD,
    });
    expect(answerOf(await browser.submit(consent, { consent: "no" })).get("error_subcode")).toBe("cancel");
  });
});

test("a sign-in that is revoked before its refresh token is written ends with it", async () => {
  const { refreshTokens, users } = provider.services;
  const user = await users.findByName(provider.tenant.id, alice);
  const id = crypto.randomUUID();
  await refreshTokens.revokeFamily(id);
  const family = { id, tenantId: provider.tenant.id, userId: user!.id, appId: web.appId, methods: ["pwd"] };
  const token = await refreshTokens.begin(
    { ...family, authenticatedAtMs: provider.clock.now() },
    { resource: "api://orders", scope: "openid" },
  );
  await expect(refreshTokens.present(token, { appId: web.appId })).rejects.toMatchObject({
    numbers: [50173],
  });
});
