import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Application, type PermissionScope } from "../applications/application.ts";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { claimsOf, DOMAIN, PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let web: Application;
let middle: Application;
let store: Application;
let user: string;
let counter = 0;
const BACK = "https://web.contoso.example/back";
const root = `root@${DOMAIN}`;

const scope = (value: string, consentBy: "User" | "Admin" = "User"): PermissionScope => ({
  id: randomUUID(),
  value,
  description: `may ${value}`,
  consentBy,
  isEnabled: true,
});

beforeAll(async () => {
  provider = await TestProvider.start();
  await provider.services.users.create(provider.tenant, {
    userPrincipalName: root,
    displayName: "Root",
    password: PASSWORD,
    roles: ["Administrator"],
  });
});
afterAll(() => provider.stop());
beforeEach(async () => {
  counter += 1;
  browser = new TestBrowser(provider);
  user = await provider.createUser(`user${counter}`);
  const scopes = [scope("Store.Read"), scope("Store.Wipe", "Admin")];
  store = await provider.createApplication("store", { scopes }, [`api://store${counter}`]);
  web = await provider.createConfidential(`web${counter}`, {
    redirectUris: [{ uri: BACK, type: "web" }],
    requiredResources: [{ resourceAppId: store.appId, access: [{ id: scopes[0]!.id, type: "Scope" }] }],
  });
  middle = await provider.createConfidential(`middle${counter}`, {
    scopes: [scope("Middle.Use")],
    knownClientAppIds: [web.appId],
    requiredResources: [
      { resourceAppId: store.appId, access: scopes.map(({ id }) => ({ id, type: "Scope" as const })) },
    ],
  });
});

const authorize = (version: 1 | 2, more: Record<string, string>): string =>
  `/common/oauth2${version === 1 ? "" : "/v2.0"}/authorize?${new URLSearchParams({
    client_id: web.appId,
    redirect_uri: BACK,
    response_type: "code",
    ...more,
  }).toString()}`;
const signedIn = async (url: string, username = user): Promise<View> =>
  browser.submit(await browser.get(url), { username, password: PASSWORD });
const grantsOf = async (client: Application) =>
  (await provider.services.permissionGrants.list(provider.tenant.id, { clientApplicationId: client.id })).map(
    ({ userId, scopes }) => [userId === undefined ? "everybody" : "the user", ...scopes],
  );

test("a client that its service knows asks for what the service needs as well", async () => {
  const url = authorize(2, { scope: `${middle.appId}/.default openid` });
  const page = await signedIn(url);
  expect(page.text).toContain("Middle.Use");
  expect(page.text).toContain("Store.Read");
  expect(page.text).not.toContain("Store.Wipe");
  expect((await browser.submit(page, { consent: "accept" })).location).toContain("code=");
  expect(await grantsOf(web)).toEqual([["the user", "Middle.Use"]]);
  expect(await grantsOf(middle)).toEqual([["the user", "Store.Read"]]);
  expect((await browser.get(url)).location).toContain("code=");
});

test("with that the service acts on behalf of the user", async () => {
  const code = (await browser.agree(await signedIn(authorize(2, { scope: `${middle.appId}/.default openid` }))))
    .location;
  const { body } = await provider.token(2, {
    grant_type: "authorization_code",
    code: new URL(code ?? "").searchParams.get("code") ?? "",
    client_id: web.appId,
    client_secret: `secret of web${counter}`,
    redirect_uri: BACK,
  });
  const next = await provider.token(2, {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    requested_token_use: "on_behalf_of",
    assertion: String(body["access_token"]),
    client_id: middle.appId,
    client_secret: `secret of middle${counter}`,
    scope: `api://store${counter}/Store.Read`,
  });
  expect(next.status, JSON.stringify(next.body)).toBe(200);
});

test("a client that the service doesn't know asks for itself alone", async () => {
  await provider.services.applications.update(middle, { document: { knownClientAppIds: [] } });
  const page = await signedIn(authorize(2, { scope: `${middle.appId}/.default openid` }));
  expect(page.text).not.toContain("Store.Read");
});

test("an administrator sees and gives what users can't", async () => {
  const page = await signedIn(authorize(2, { scope: `${middle.appId}/.default openid` }), root);
  expect(page.text).toContain("Store.Wipe");
  await browser.submit(page, { consent: "accept", everybody: "yes" });
  expect(await grantsOf(middle)).toEqual([["everybody", "Store.Read", "Store.Wipe"]]);
});

test("prompt=admin_consent of v1: everything registered, for everybody, and the client is told", async () => {
  const url = authorize(1, { resource: middle.appId, prompt: "admin_consent" });
  const page = await signedIn(url, root);
  expect(page.text).toContain("for everybody");
  const answer = new URL((await browser.submit(page, { consent: "accept" })).location ?? "").searchParams;
  expect(answer.get("admin_consent")).toBe("True");
  expect(answer.get("code")).toBeTruthy();
  expect(await grantsOf(web)).toEqual(
    expect.arrayContaining([
      ["everybody", "Middle.Use"],
      ["everybody", "Store.Read"],
    ]),
  );
});

test("prompt=admin_consent is for administrators", async () => {
  const answer = await signedIn(authorize(1, { resource: middle.appId, prompt: "admin_consent" }));
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("STS90094");
  expect(await grantsOf(web)).toEqual([]);
});

test("a client of another tenant comes in with the first consent", async () => {
  const tenant = await provider.services.tenants.create({ displayName: "T", domain: `tenant${counter}.example` });
  const dora = `dora@tenant${counter}.example`;
  await provider.services.users.create(tenant, { userPrincipalName: dora, displayName: "Dora", password: PASSWORD });
  const url = authorize(2, { scope: "openid profile" });
  expect((await signedIn(url, dora)).status).toBe(400);
  await provider.services.applications.update(web, { document: { isMultiTenant: true } });
  const page = await browser.get(url);
  expect(page.text).toContain('name="consent"');
  const { location } = await browser.submit(page, { consent: "accept" });
  const code = new URL(location ?? "").searchParams.get("code") ?? "";
  const redeemAt = (segment: string) => {
    const credential = { client_id: web.appId, client_secret: `secret of web${counter}`, redirect_uri: BACK };
    return provider.token(2, { grant_type: "authorization_code", code, ...credential }, { tenant: segment });
  };
  expect((await redeemAt(provider.tenant.id)).body["error_codes"]).toEqual([700005]);
  expect((await redeemAt("common")).status).toBe(200);
  const admitted = await provider.services.applications.findByAppId(web.appId);
  expect(admitted?.servicePrincipals.has(tenant.id)).toBe(true);
});

test("scopes of several resources are asked for at once, and the code is good for each of them", async () => {
  const scopes = `openid ${middle.appId}/Middle.Use api://store${counter}/Store.Read`;
  const page = await signedIn(authorize(2, { scope: scopes }));
  expect(page.text).toContain("Middle.Use");
  expect(page.text).toContain("Store.Read");
  await browser.submit(page, { consent: "accept" });
  expect(await grantsOf(web)).toEqual(
    expect.arrayContaining([
      ["the user", "Middle.Use"],
      ["the user", "Store.Read"],
    ]),
  );
  const redeem = async (more: Record<string, string>) => {
    const { location } = await browser.get(authorize(2, { scope: scopes }));
    return provider.token(2, {
      grant_type: "authorization_code",
      code: new URL(location ?? "").searchParams.get("code") ?? "",
      client_id: web.appId,
      client_secret: `secret of web${counter}`,
      redirect_uri: BACK,
      ...more,
    });
  };
  expect(claimsOf((await redeem({})).body["access_token"])["scp"]).toBe("Middle.Use");
  const second = await redeem({ scope: `api://store${counter}/Store.Read` });
  expect(claimsOf(second.body["access_token"])["scp"]).toBe("Store.Read");
  expect((await redeem({ scope: "https://graph.microsoft.com/User.Read" })).body).toMatchObject({
    error: "invalid_grant",
  });
});
