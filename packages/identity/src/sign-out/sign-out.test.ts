import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { TestBrowser } from "../testing/test-browser.ts";
import { PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let plain: Application;
let framed: Application;
let alice: string;

beforeAll(async () => {
  provider = await TestProvider.start();
  const redirectUris = (host: string) => [{ uri: `https://${host}/back`, type: "web" as const }];
  plain = await provider.createConfidential("plain", {
    redirectUris: redirectUris("plain.example"),
    issuesIdTokensImplicitly: true,
  });
  framed = await provider.createConfidential("framed", {
    redirectUris: redirectUris("framed.example"),
    logoutUrl: "https://framed.example/out?x=1",
  });
  alice = await provider.createUser("alice");
});
afterAll(() => provider.stop());
beforeEach(() => {
  browser = new TestBrowser(provider);
});

const authorize = (client: Application, more: Record<string, string> = {}): string =>
  `/common/oauth2/v2.0/authorize?${new URLSearchParams({
    client_id: client.appId,
    response_type: "code",
    scope: "openid",
    ...more,
  }).toString()}`;
const logout = (more: Record<string, string> = {}): string =>
  `/common/oauth2/v2.0/logout?${new URLSearchParams(more).toString()}`;
const isSignedIn = async (): Promise<boolean> =>
  (await browser.get(authorize(plain, { prompt: "none" }))).location?.includes("code=") === true;

test("ends the session and says so; nobody signed in is no error", async () => {
  expect((await browser.get(logout())).text).toContain("Signed out");
  await browser.signIn(authorize(plain), alice);
  expect(await isSignedIn()).toBe(true);
  const { text, headers } = await browser.get("/common/oauth2/logout");
  expect(text).toContain("Signed out");
  expect(headers["set-cookie"]).toContain("Max-Age=0");
  expect(await isSignedIn()).toBe(false);
});

test("a client may name whose session it is; the others of the browser go on", async () => {
  const bob = await provider.createUser("bob");
  const isIn = async (name: string): Promise<boolean> =>
    (await browser.get(authorize(plain, { prompt: "none", login_hint: name }))).location?.includes("code=") === true;
  await browser.signIn(authorize(plain), alice);
  const answer = await browser.signIn(authorize(plain, { prompt: "login" }), bob);
  const { headers } = await browser.get(logout({ logout_hint: alice.toUpperCase() }));
  expect(headers).not.toHaveProperty("set-cookie");
  expect([await isIn(alice), await isIn(bob)]).toEqual([false, true]);
  const sid = new URL(answer.location ?? "").searchParams.get("session_state") ?? "";
  await browser.get(logout({ logout_hint: sid }));
  expect(await isIn(bob)).toBe(false);
});

test("a hint that names nobody here signs everybody out", async () => {
  await browser.signIn(authorize(plain), alice);
  await browser.get(logout({ logout_hint: "somebody@else.example" }));
  expect(await isSignedIn()).toBe(false);
});

test("goes back to an address of the client that asks, with state", async () => {
  await browser.signIn(authorize(plain), alice);
  const back = { post_logout_redirect_uri: "https://plain.example/back", state: "a&b" };
  const view = await browser.get(logout({ ...back, client_id: plain.appId }));
  expect([view.status, view.location]).toEqual([302, "https://plain.example/back?state=a%26b"]);
  expect(await isSignedIn()).toBe(false);
});

test("an address whose own query wasn't encoded is understood", async () => {
  const { appId } = await provider.createApplication("asking", {
    redirectUris: [{ uri: "https://asking.example/back?from=us", type: "web" }],
  });
  const next = "https://asking.example/back?from=us";
  const view = await browser.get(`/common/oauth2/logout?client_id=${appId}&post_logout_redirect_uri=${next}`);
  expect(view.location).toBe(next);
});

test("the client may be known by its id token, or by the session", async () => {
  const posted = await browser.signIn(
    authorize(plain, { response_type: "id_token", nonce: "n", response_mode: "form_post" }),
    alice,
  );
  const back = { post_logout_redirect_uri: "https://plain.example/back" };
  const other = new TestBrowser(provider);
  const hinted = await other.get(logout({ ...back, id_token_hint: posted.fields["id_token"] ?? "" }));
  expect(hinted.location).toBe("https://plain.example/back");
  const changed = (posted.fields["id_token"] ?? "").replace(/[^.]+$/, "AAAA");
  expect((await other.get(logout({ ...back, id_token_hint: changed }))).location).toBeUndefined();
  expect((await browser.get(logout(back))).location).toBe("https://plain.example/back");
});

test.each([
  "https://evil.example/",
  "https://framed.example/back",
  "https://plain.example/back/../x",
  "//evil.example",
])("never goes to %s", async (uri) => {
  await browser.signIn(authorize(plain), alice);
  const view = await browser.get(logout({ client_id: plain.appId, post_logout_redirect_uri: uri }));
  expect([view.status, view.location]).toEqual([200, undefined]);
  expect(view.text).not.toContain(uri);
});

test("a client that signed in at the endpoint of v1 is told the issuer it knows", async () => {
  const v1 = new URLSearchParams({ client_id: framed.appId, response_type: "code" });
  const signedIn = await browser.agree(await browser.signIn(`/common/oauth2/authorize?${v1.toString()}`, alice));
  expect(signedIn.location).toContain("code=");
  const iss = encodeURIComponent(`${PUBLIC_URL}/${provider.tenant.id}/`);
  expect((await browser.get("/common/oauth2/logout")).text).toContain(`&amp;iss=${iss}"`);
});

test.each(["/nowhere.example/oauth2/logout", "/nowhere.example/oauth2/v2.0/logout"])(
  "%s is refused, and ends nothing",
  async (url) => {
    await browser.signIn(authorize(plain), alice);
    const view = await browser.get(url);
    expect([view.status, view.text]).toEqual([400, expect.stringContaining("STS90002")]);
    expect(await isSignedIn()).toBe(true);
  },
);

test("tells the clients of the session in hidden frames before it goes on", async () => {
  await browser.signIn(authorize(plain), alice);
  const signedIn = await browser.agree(await browser.get(authorize(framed)));
  const sid = new URL(signedIn.location ?? "").searchParams.get("session_state");
  const back = { client_id: plain.appId, post_logout_redirect_uri: "https://plain.example/back" };
  const view = await browser.post("/common/oauth2/v2.0/logout", back);
  expect(view.status).toBe(200);
  const iss = encodeURIComponent(`${PUBLIC_URL}/${provider.tenant.id}/v2.0`);
  expect(view.text).toContain(`src="https://framed.example/out?x=1&amp;sid=${sid}&amp;iss=${iss}"`);
  expect(view.text).toContain('href="https://plain.example/back"');
  expect(view.headers["content-security-policy"]).toContain("frame-src https://framed.example;");
});
