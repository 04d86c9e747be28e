import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { type Answer, claimsOf, DOMAIN, PASSWORD, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let clientId: string;
let alice: string;
const RESOURCE = "https://api.contoso.example";

beforeAll(async () => {
  provider = await TestProvider.start();
  clientId = (await provider.createApplication("tv", { isPublic: true })).appId;
  await provider.createApplication("api", {}, [RESOURCE]);
  alice = await provider.createUser("alice");
});
afterAll(() => provider.stop());
beforeEach(() => {
  browser = new TestBrowser(provider);
});

const begin = (version: 1 | 2, more: Record<string, string> = {}, tenant = provider.tenant.id): Promise<Answer> =>
  provider.post(
    `/${tenant}/oauth2${version === 1 ? "" : "/v2.0"}/devicecode?api-version=1.0`,
    new URLSearchParams({
      client_id: clientId,
      ...(version === 1 ? { resource: RESOURCE } : { scope: `openid offline_access ${RESOURCE}/user_impersonation` }),
      ...more,
    }).toString(),
  );
const poll = (version: 1 | 2, fields: Record<string, unknown>, tenant = provider.tenant.id): Promise<Answer> =>
  provider.token(version, { client_id: clientId, ...(fields as Record<string, string>) }, { tenant });
const LONG = "urn:ietf:params:oauth:grant-type:device_code";

/** Up to the question whether this is the user's device. */
async function upToConfirmation(code: unknown): Promise<View> {
  const page = await browser.get("/device");
  const signIn = await browser.submit(page, { user_code: String(code) });
  return browser.submit(signIn, { username: alice, password: PASSWORD });
}

describe("the codes", () => {
  test("of v1: strings and verification_url, by POST and by GET", async () => {
    const posted = await begin(1);
    const got = await provider.get(
      `/common/oauth2/devicecode?client_id=${clientId}&resource=${encodeURIComponent(RESOURCE)}`,
    );
    for (const { status, body } of [posted, got]) {
      expect(status).toBe(200);
      expect(body).toEqual({
        user_code: expect.stringMatching(/^[A-Z2-9]{9}$/) as string,
        device_code: expect.stringMatching(/^[\w-]{43}$/) as string,
        verification_url: `${PUBLIC_URL}/device`,
        expires_in: "900",
        interval: "5",
        message: expect.stringContaining(`${PUBLIC_URL}/device`) as string,
      });
    }
  });

  test("of v2: numbers and verification_uri", async () => {
    const { body } = await begin(2);
    expect(body).toMatchObject({
      verification_uri: `${PUBLIC_URL}/device`,
      verification_uri_complete: `${PUBLIC_URL}/device?user_code=${String(body["user_code"])}`,
      expires_in: 900,
      interval: 5,
    });
  });

  test.each([
    ["no client", { client_id: "" }, 900144],
    ["an unknown client", { client_id: crypto.randomUUID() }, 700016],
    ["no scope", { scope: "" }, 900144],
    ["a resource on v2", { resource: RESOURCE }, 901002],
    ["a resource that isn't there", { scope: "api://nowhere/.default" }, 500011],
    ["a permission that isn't there", { scope: "openid Nothing.Read" }, 70011],
  ])("%s", async (_what, fields, code) => {
    const { status, body } = await begin(2, fields);
    expect([status, body["error_codes"]]).toEqual([400, [code]]);
  });
});

test("a resource that admits assigned users only is told to nobody else's device", async () => {
  await provider.createApplication("closed", { requiresAssignment: true }, ["api://closed"]);
  const { body } = await begin(1, { resource: "api://closed" });
  const refused = await upToConfirmation(body["user_code"]);
  expect(refused.text).toContain("STS50105");
  const waiting = await poll(1, { grant_type: "device_code", code: body["device_code"] });
  expect(waiting.body["error"]).toBe("authorization_pending");
});

describe.each([
  ["v1: code and device_code", 1, "device_code", "code"],
  ["v2: the URN and device_code", 2, LONG, "device_code"],
  ["v2: the short grant type", 2, "device_code", "device_code"],
] as const)("%s", (_what, version, grantType, name) => {
  test.each(["common", "the tenant"])("pending, then tokens once, at %s", async (where) => {
    const tenant = where === "common" ? "common" : provider.tenant.id;
    const { body } = await begin(version, {}, tenant);
    const fields = { grant_type: grantType, [name]: body["device_code"] };
    const waiting = await poll(version, fields, tenant);
    expect([waiting.status, waiting.body["error"], waiting.body["error_codes"]]).toEqual([
      400,
      "authorization_pending",
      [70016],
    ]);
    const confirm = await upToConfirmation(String(body["user_code"]).toLowerCase());
    expect(confirm.text).toContain("tv");
    const done = await browser.submit(confirm, { consent: "accept" });
    expect(done.text).toContain("is signed in on your device");
    const tokens = await poll(version, fields, tenant);
    expect(tokens.status).toBe(200);
    expect(claimsOf(tokens.body["access_token"])).toMatchObject({ aud: RESOURCE, upn: alice });
    expect(tokens.body["refresh_token"]).toEqual(expect.any(String));
    const again = await poll(version, fields, tenant);
    expect([again.body["error"], again.body["error_codes"]]).toEqual(["bad_verification_code", [70018]]);
  });
});

describe("a device that gets nothing", () => {
  test("declined, expired, unknown, another client's, asking too fast", async () => {
    const { body } = await begin(2);
    const fields = { grant_type: LONG, device_code: body["device_code"] };
    expect((await poll(2, fields)).body["error"]).toBe("authorization_pending");
    expect((await poll(2, fields)).body["error"]).toBe("slow_down");
    await browser.submit(await upToConfirmation(body["user_code"]), { consent: "decline" });
    expect((await poll(2, fields)).body["error"]).toBe("authorization_declined");
    expect((await poll(2, { ...fields, device_code: "unknown" })).body["error"]).toBe("bad_verification_code");
    expect((await poll(2, { grant_type: LONG })).body["error_codes"]).toEqual([900144]);
    const other = (await provider.createApplication("other", { isPublic: true })).appId;
    const second = (await begin(2)).body;
    const stolen = await poll(2, { ...fields, device_code: second["device_code"], client_id: other });
    expect(stolen.body["error"]).toBe("bad_verification_code");
    provider.clock.advance(900_000);
    const late = await poll(2, { ...fields, device_code: second["device_code"] });
    expect([late.body["error"], late.body["error_codes"]]).toEqual(["expired_token", [70019]]);
  });
});

describe("the pages", () => {
  test("a code in the address is filled in but not accepted by itself", async () => {
    const { body } = await begin(2);
    for (const path of ["/device?user_code=", "/devicelogin?otc=", "/common/oauth2/deviceauth?user_code="]) {
      const page = await browser.get(path + String(body["user_code"]));
      expect(page.fields["user_code"]).toBe(body["user_code"]);
    }
  });

  test("who is signed in already is asked to confirm only", async () => {
    await browser.submit(await upToConfirmation((await begin(2)).body["user_code"]), { consent: "accept" });
    const { body } = await begin(2);
    const page = await browser.submit(await browser.get("/device"), { user_code: String(body["user_code"]) });
    expect(page.text).toContain("Is this your device?");
  });

  test("an unknown code and a wrong password are asked for again; a foreign form is refused", async () => {
    const page = await browser.get("/device");
    expect((await browser.submit(page, { user_code: "ABCDEFGHJ" })).text).toContain("There is no such code");
    const { body } = await begin(2);
    const signIn = await browser.submit(page, { user_code: String(body["user_code"]) });
    const wrong = await browser.submit(signIn, { username: alice, password: "wrong password" });
    expect(wrong.text).toContain("The user name or the password is wrong.");
    const other = new TestBrowser(provider);
    expect((await other.submit(wrong, { username: alice, password: PASSWORD })).status).toBe(400);
  });

  test("a user of another tenant isn't admitted", async () => {
    const { services } = provider;
    const fabrikam = await services.tenants.create({ displayName: "F", domain: "fabrikam.example" });
    const user = { userPrincipalName: "fred@fabrikam.example", displayName: "Fred", password: PASSWORD };
    await services.users.create(fabrikam, user);
    const { body } = await begin(2, {}, "common");
    const signIn = await browser.submit(await browser.get("/device"), { user_code: String(body["user_code"]) });
    const view = await browser.submit(signIn, { username: user.userPrincipalName, password: PASSWORD });
    expect(view.text).toContain("STS50020");
    expect(alice).toContain(DOMAIN);
  });
});
