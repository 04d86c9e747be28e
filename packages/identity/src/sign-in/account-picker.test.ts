import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { claimsOf, PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let web: Application;
let alice: string;
let bob: string;

beforeAll(async () => {
  provider = await TestProvider.start();
  web = await provider.createConfidential("web", {
    redirectUris: [{ uri: "https://web.example/back", type: "web" }],
    issuesIdTokensImplicitly: true,
  });
  alice = await provider.createUser("alice");
  bob = await provider.createUser("bob");
});
afterAll(() => provider.stop());
beforeEach(async () => {
  browser = new TestBrowser(provider);
  await browser.signIn(request(), alice);
});

const request = (more: Record<string, string> = {}): string =>
  `/common/oauth2/authorize?${new URLSearchParams({
    client_id: web.appId,
    response_type: "id_token",
    nonce: "n",
    scope: "openid",
    ...more,
  }).toString()}`;
const fragmentOf = (view: View): URLSearchParams => new URLSearchParams(new URL(view.location ?? "").hash.slice(1));
const userOf = (view: View): unknown => claimsOf(fragmentOf(view).get("id_token"))["upn"];
const buttonOf = (view: View, name: string): string =>
  new RegExp(`value="([0-9a-f-]{36})"[^>]*>${name}`).exec(view.text)?.[1] ?? "";
const addBob = async (): Promise<View> => {
  const picker = await browser.get(request({ prompt: "select_account" }));
  const page = await browser.submit(picker, { account: "other" });
  return browser.agree(await browser.submit(page, { username: bob, password: PASSWORD }));
};

test("prompt=select_account shows who is signed in; the choice needs no password", async () => {
  const picker = await browser.get(request({ prompt: "select_account" }));
  expect(picker.text).toContain("Choose an account");
  expect(userOf(await browser.submit(picker, { account: buttonOf(picker, alice) }))).toBe(alice);
});

test("another account is added beside the first; from then on it is asked which is meant, except by a hint", async () => {
  expect(userOf(await addBob())).toBe(bob);
  const picker = await browser.get(request());
  expect(picker.text).toContain(alice);
  expect(picker.text).toContain(bob);
  expect(userOf(await browser.submit(picker, { account: buttonOf(picker, alice) }))).toBe(alice);
  expect(userOf(await browser.get(request({ login_hint: bob })))).toBe(bob);
  expect(fragmentOf(await browser.get(request({ prompt: "none" }))).get("error")).toBe("interaction_required");
  expect(userOf(await browser.get(request({ prompt: "none", login_hint: alice })))).toBe(alice);
});

test("an account of another browser cannot be chosen", async () => {
  const picker = await browser.get(request({ prompt: "select_account" }));
  const id = buttonOf(picker, alice);
  const other = new TestBrowser(provider);
  await other.signIn(request(), bob);
  const theirs = await other.get(request({ prompt: "select_account" }));
  expect((await other.submit(theirs, { account: id })).text).toContain('type="password"');
});

test("max_age asks the chosen account for the password again", async () => {
  provider.clock.advance(60_000);
  await addBob();
  provider.clock.advance(10_000);
  const answer = await browser.get(request({ max_age: "30" }));
  expect(userOf(answer)).toBe(bob);
  const page = await browser.get(request({ max_age: "30", login_hint: alice }));
  expect(page.fields["username"]).toBe(alice);
});

test("signing in again keeps the session's id; five accounts at most", async () => {
  const before = fragmentOf(await browser.get(request())).get("session_state");
  const again = await browser.signIn(request({ prompt: "login" }), alice);
  expect(fragmentOf(again).get("session_state")).toBe(before);
  for (const name of ["u1", "u2", "u3", "u4", "u5"]) {
    await browser.signIn(request({ prompt: "login" }), await provider.createUser(name));
  }
  expect(browser.cookies.get("__Host-session")?.split(".")).toHaveLength(5);
  expect((await browser.get(request({ prompt: "select_account" }))).text).not.toContain(alice);
});

test("sign-out ends every account's session", async () => {
  await addBob();
  await browser.get("/common/oauth2/logout");
  expect((await browser.get(request())).text).toContain('type="password"');
});
