import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let alice: string;
let counter = 0;

beforeAll(async () => {
  provider = await TestProvider.start();
});
afterAll(() => provider.stop());
beforeEach(async () => {
  counter += 1;
  alice = await provider.createUser(`alice${counter}`);
  browser = new TestBrowser(provider);
});

const open = async (each: TestBrowser, password = PASSWORD): Promise<View> =>
  each.submit(await each.get("/account"), { username: alice, password });
const endButtons = (view: View): readonly string[] =>
  [...view.text.matchAll(/name="end"\s+value="([0-9a-f-]{36})"/g)].map((match) => match[1] ?? "");
const change = (view: View, password: string, next: string, repeated = next): Promise<View> =>
  browser.submit(view, { password, new_password: next, repeated_password: repeated, change: "password" });

test("asks who it is, then lists every browser's session, and ends one", async () => {
  const other = new TestBrowser(provider);
  await open(other);
  provider.clock.advance(60_000);
  const page = await open(browser);
  expect(page.text).toContain("Your account");
  const [here, there] = endButtons(page);
  expect([here, there]).toEqual([expect.any(String), expect.any(String)]);
  const after = await browser.submit(page, { end: there ?? "" });
  expect(endButtons(after)).toEqual([here]);
  expect((await other.get("/account")).fields["username"]).toBe("");
});

test("a session of somebody else isn't ended", async () => {
  const mine = alice;
  const page = await open(browser);
  alice = await provider.createUser(`other${counter}`);
  const other = new TestBrowser(provider);
  const [theirs = ""] = endButtons(await open(other));
  await browser.submit(page, { end: theirs });
  expect((await other.get("/account")).text).toContain(alice);
  expect((await browser.get("/account")).text).toContain(mine);
});

test("signs out everywhere", async () => {
  const page = await browser.submit(await open(browser), { end: "all" });
  expect(page.text).toContain("You are signed out.");
  expect((await browser.get("/account")).text).toContain("Sign in");
});

test("a new password needs the present one, ends other sessions and keeps this browser signed in", async () => {
  const other = new TestBrowser(provider);
  await open(other);
  const page = await open(browser);
  provider.clock.advance(1_000);
  expect((await change(page, "wrong", "another battery")).text).toContain('role="alert"');
  expect((await change(page, PASSWORD, "another battery", "x")).text).toContain("The two entries differ.");
  expect((await change(page, PASSWORD, "short")).text).toContain("8 to 256");
  expect((await change(page, PASSWORD, "another battery")).text).toContain("The password was changed.");
  expect((await browser.get("/account")).text).toContain(alice);
  expect((await other.get("/account")).text).not.toContain(alice);
  expect((await open(new TestBrowser(provider), "another battery")).text).toContain("Your account");
});

test("a form of another browser does nothing", async () => {
  const page = await open(browser);
  const other = new TestBrowser(provider);
  await open(other);
  expect((await other.submit(page, { end: "all" })).text).toContain("Sign in again.");
  expect((await browser.get("/account")).text).toContain("Your account");
});
