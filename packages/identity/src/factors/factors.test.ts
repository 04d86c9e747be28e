import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { claimsOf, PASSWORD, TestProvider } from "../testing/test-provider.ts";
import { base32, codeAt, setupAddress, stepOfCode } from "./one-time-code.ts";

let provider: TestProvider;
let web: Application;
let user: string;
let counter = 0;
const BACK = "https://web.contoso.example/back";

beforeAll(async () => {
  provider = await TestProvider.start();
  web = await provider.createApplication("web", { isPublic: true, redirectUris: [{ uri: BACK, type: "web" }] });
});
afterAll(() => provider.stop());
beforeEach(async () => {
  counter += 1;
  user = await provider.createUser(`user${counter}`);
  await provider.manage("PATCH", `/tenants/${provider.tenant.id}`, { requiresSecondFactor: false });
});

const authorize = (more: Record<string, string> = {}): string =>
  `/common/oauth2/authorize?${new URLSearchParams({ client_id: web.appId, response_type: "code", ...more }).toString()}`;
const password = async (browser: TestBrowser): Promise<View> =>
  browser.submit(await browser.get(authorize()), { username: user, password: PASSWORD });
/** The key that a page shows for typing. */
const secretOf = (page: View): Uint8Array => {
  const letters = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1]?.replaceAll(" ", "") ?? "";
  const bits = Array.from(letters).map((each) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(each).toString(2).padStart(5, "0"),
  );
  return Buffer.from(
    bits
      .join("")
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  );
};
const codeNow = (secret: Uint8Array, ahead = 0): string =>
  codeAt(secret, Math.floor(provider.clock.now() / 30_000) + ahead);
/** Sets one up on the account page; the next code is of the next step. */
const setUp = async (browser: TestBrowser): Promise<Uint8Array> => {
  await browser.agree(await password(browser));
  const page = await browser.submit(await browser.get("/account"), { password: PASSWORD, factor: "begin" });
  const secret = secretOf(page);
  const done = await browser.submit(page, { code: codeNow(secret), factor: "confirm" });
  expect(done.text).toContain("was added");
  provider.clock.advance(30_000);
  return secret;
};

describe("codes", () => {
  // RFC 6238 appendix B, the last six digits
  test.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("at %s it is %s", (seconds, code) => {
    const secret = Buffer.from("12345678901234567890");
    expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code);
    for (const [offsetMs, isNear] of [
      [0, true],
      [30_000, true],
      [-30_000, true],
      [61_000, false],
    ] as const) {
      expect(stepOfCode(secret, code, seconds * 1000 + offsetMs) !== undefined).toBe(isNear);
    }
  });

  test.each([
    ["", ""],
    ["f", "MY"],
    ["foob", "MZXW6YQ"],
    ["foobar", "MZXW6YTBOI"],
  ])("base32 of '%s' is '%s'", (text, expected) => expect(base32(Buffer.from(text))).toBe(expected));

  test("the address names account and issuer", () => {
    expect(setupAddress(Buffer.from("foobar"), "id.example", "a b@c.example")).toBe(
      "otpauth://totp/id.example:a%20b%40c.example?secret=MZXW6YTBOI&issuer=id.example",
    );
  });
});

test("a second factor is set up on the account page and asked for at the next sign-in", async () => {
  const secret = await setUp(new TestBrowser(provider));
  const browser = new TestBrowser(provider);
  const page = await password(browser);
  expect(page.text).toContain("Enter your code");
  expect(page.location).toBeUndefined();
  const answer = await browser.agree(await browser.submit(page, { code: codeNow(secret) }));
  const { body } = await provider.token(1, {
    grant_type: "authorization_code",
    code: new URL(answer.location ?? "").searchParams.get("code") ?? "",
    client_id: web.appId,
  });
  expect(claimsOf(body["id_token"])["amr"]).toEqual(["pwd", "otp", "mfa"]);
});

test("a code counts once, and wrong ones lock", async () => {
  const secret = await setUp(new TestBrowser(provider));
  const first = new TestBrowser(provider);
  const code = codeNow(secret);
  await first.submit(await password(first), { code });
  const second = new TestBrowser(provider);
  const page = await password(second);
  const replayed = await second.submit(page, { code });
  expect(replayed.text).toContain("wrong or was used");
  // Right passwords in between forget nothing.
  for (let attempt = 0; attempt < 9; attempt += 1) {
    const browser = new TestBrowser(provider);
    await browser.submit(await password(browser), { code: "000000" });
  }
  provider.clock.advance(30_000);
  const locked = new TestBrowser(provider);
  const answer = await locked.submit(await password(locked), { code: codeNow(secret) });
  expect(answer.text).toContain("locked");
  await provider.manage("POST", `/users/${user}/unlock`);
  const unlocked = new TestBrowser(provider);
  const done = await unlocked.agree(await unlocked.submit(await password(unlocked), { code: codeNow(secret) }));
  expect(done.location).toContain("code=");
});

test("the page for the code is worth nothing without the password, or after a new one", async () => {
  const secret = await setUp(new TestBrowser(provider));
  const browser = new TestBrowser(provider);
  const page = await password(browser);
  provider.clock.advance(1);
  await provider.manage("PATCH", `/users/${user}`, { passwordProfile: { password: "another fine password" } });
  const late = await browser.submit(page, { code: codeNow(secret) });
  expect([late.location, late.text.includes("Sign in again")]).toEqual([undefined, true]);
});

test.each([
  [1, "interaction_required"],
  [2, "invalid_grant"],
] as const)("the password grant of v%s can't ask for it", async (version, error) => {
  await setUp(new TestBrowser(provider));
  const ask = (secret: string) =>
    provider.token(version, {
      grant_type: "password",
      username: user,
      password: secret,
      client_id: web.appId,
      ...(version === 1 ? { resource: web.appId } : { scope: `${web.appId}/.default` }),
    });
  const { status, body } = await ask(PASSWORD);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error, suberror: "basic_action", error_codes: [50076] });
  expect(JSON.parse(String(body["claims"]))).toHaveProperty("access_token");
  // Who doesn't know the password learns nothing.
  expect((await ask("wrong")).body["error_codes"]).toEqual([50126]);
});

test("it is taken away with the password, or by an administrator", async () => {
  const browser = new TestBrowser(provider);
  await setUp(browser);
  const methods = async () =>
    (await provider.manage("GET", `/users/${user}/authentication/softwareOathMethods`)).body["value"] as {
      id: string;
    }[];
  const [factor] = await methods();
  const refused = await browser.submit(await browser.get("/account"), { password: "x", remove_factor: factor!.id });
  expect(refused.text).toContain("password is wrong");
  expect(await methods()).toHaveLength(1);
  await browser.submit(await browser.get("/account"), { password: PASSWORD, remove_factor: factor!.id });
  expect(await methods()).toEqual([]);
  await setUp(new TestBrowser(provider));
  const [again] = await methods();
  const path = `/users/${user}/authentication/softwareOathMethods/${again!.id}`;
  expect((await provider.manage("DELETE", path)).status).toBe(204);
  expect((await provider.manage("DELETE", path)).status).toBe(404);
  const answer = await password(new TestBrowser(provider));
  expect(answer.text).not.toContain("Enter your code");
});

test("a tenant may ask everybody for one, who is then set up at the next sign-in", async () => {
  await provider.manage("PATCH", `/tenants/${provider.tenant.id}`, { requiresSecondFactor: true });
  const { body } = await provider.token(2, {
    grant_type: "password",
    username: user,
    password: PASSWORD,
    client_id: web.appId,
    scope: `${web.appId}/.default`,
  });
  expect(body).toMatchObject({ error_codes: [50079] });
  const browser = new TestBrowser(provider);
  const page = await password(browser);
  expect(page.text).toContain("<svg");
  const wrong = await browser.submit(page, { code: "000000", factor: "confirm" });
  expect(secretOf(wrong)).toEqual(secretOf(page));
  const done = await browser.agree(await browser.submit(wrong, { code: codeNow(secretOf(page)), factor: "confirm" }));
  expect(done.location).toContain("code=");
  provider.clock.advance(30_000);
  const next = await password(new TestBrowser(provider));
  expect(next.text).toContain("Enter your code");
});

test("the secret is sealed, and shown to nobody again", async () => {
  const secret = await setUp(new TestBrowser(provider));
  const rows = await provider.provider.database.selectFrom("user_factors").selectAll().execute();
  expect(rows.every((row) => row.secret_sealed.toString().startsWith("sealed:identity/factor:"))).toBe(true);
  const { body } = await provider.manage("GET", `/users/${user}/authentication/methods`);
  expect(JSON.stringify(body)).not.toContain(base32(secret));
});
