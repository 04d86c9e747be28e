import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { claimsOf, DOMAIN, PASSWORD, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let web: Application;
let user: string;
let counter = 0;
const ROOT = `root@${DOMAIN}`;
const BACK = "https://web.contoso.example/back";
const READ = "11111111-0000-4000-8000-000000000001";
const ALL = "11111111-0000-4000-8000-000000000002";
const ROLE = "11111111-0000-4000-8000-000000000003";

beforeAll(async () => {
  provider = await TestProvider.start();
  const scope = (id: string, value: string) =>
    ({ id, value, description: `may ${value}`, consentBy: "Admin", isEnabled: true }) as const;
  const api = await provider.createApplication(
    "api",
    {
      scopes: [scope(READ, "Orders.Read"), scope(ALL, "Orders.All")],
      appRoles: [
        {
          id: ROLE,
          value: "Robot",
          displayName: "Robot",
          description: "",
          allowedMemberTypes: ["Application"],
          isEnabled: true,
        },
      ],
    },
    ["api://orders"],
  );
  await provider.services.users.create(provider.tenant, {
    userPrincipalName: ROOT,
    displayName: "Root",
    password: PASSWORD,
    roles: ["Administrator"],
  });
  user = await provider.createUser("user");
  required = [
    {
      resourceAppId: api.appId,
      access: [
        { id: READ, type: "Scope" },
        { id: ROLE, type: "Role" },
      ],
    },
  ];
});
let required: Application["document"]["requiredResources"];
afterAll(() => provider.stop());
beforeEach(async () => {
  browser = new TestBrowser(provider);
  counter += 1;
  web = await provider.createConfidential(`web${counter}`, {
    redirectUris: [{ uri: BACK, type: "web" }],
    requiredResources: required,
  });
});

const url = (version: 1 | 2, more: Record<string, string> = {}, tenant = "common"): string =>
  `/${tenant}/${version === 1 ? "" : "v2.0/"}adminconsent?${new URLSearchParams({
    client_id: web.appId,
    redirect_uri: BACK,
    state: "s&t",
    ...more,
  }).toString()}`;
const signedIn = async (address: string, username = ROOT): Promise<View> =>
  browser.submit(await browser.get(address), { username, password: PASSWORD });
const answerOf = (view: View) => Object.fromEntries(new URL(view.location ?? "").searchParams);
const robotRoles = async () => {
  const answer = await provider.token(2, {
    grant_type: "client_credentials",
    client_id: web.appId,
    client_secret: `secret of web${counter}`,
    scope: "api://orders/.default",
  });
  return claimsOf(answer.body["access_token"])["roles"];
};
const scopesOf = async () => {
  const grants = await provider.services.permissionGrants.list(provider.tenant.id, { clientApplicationId: web.id });
  return grants.map((grant) => [grant.userId, ...grant.scopes]);
};

test("v1: what the registration lists, scopes and roles, for everybody; saying so twice is no error", async () => {
  const page = await signedIn(url(1));
  expect(page.text).toContain("may Orders.Read");
  expect(page.text).toContain("Robot (without a user)");
  expect(page.text).not.toContain("Orders.All");
  expect(await robotRoles()).toBeUndefined();
  const answer = await browser.submit(page, { consent: "accept" });
  expect(answerOf(answer)).toEqual({
    admin_consent: "True",
    tenant: provider.tenant.id,
    state: "s&t",
    iss: `${PUBLIC_URL}/${provider.tenant.id}/`,
  });
  expect(await scopesOf()).toEqual([[undefined, "Orders.Read"]]);
  expect(await robotRoles()).toEqual(["Robot"]);
  const again = await browser.submit(await browser.get(url(1)), { consent: "accept" });
  expect(answerOf(again)["admin_consent"]).toBe("True");
});

test("v2.0: what the request names, or the registration's by /.default", async () => {
  const scope = "api://orders/Orders.All User.Read openid";
  const answer = answerOf(await browser.submit(await signedIn(url(2, { scope })), { consent: "accept" }));
  expect(answer).toMatchObject({ admin_consent: "True", scope });
  expect(new Set((await scopesOf()).flat())).toEqual(new Set([undefined, "Orders.All", "User.Read"]));
  const page = await browser.get(url(2, { scope: "api://orders/.default" }));
  expect(page.text).toContain("Robot");
  expect(answerOf(await browser.get(url(2, { scope: "api://orders/None" })))["error"]).toBe("invalid_scope");
});

test("declined, and asked by somebody who is no administrator: nothing is given", async () => {
  const declined = answerOf(await browser.submit(await signedIn(url(1)), { consent: "decline" }));
  expect(declined).toMatchObject({ error: "access_denied", error_subcode: "cancel", state: "s&t" });
  browser = new TestBrowser(provider);
  const refused = answerOf(await signedIn(url(1), user));
  expect(refused["error_description"]).toContain("STS90094");
  expect(await scopesOf()).toEqual([]);
});

test("needs the session it was shown to, and a form of its own", async () => {
  const page = await signedIn(url(1));
  const session = browser.cookies.get("__Host-session") ?? "";
  browser.cookies.delete("__Host-session");
  expect((await browser.submit(page, { consent: "accept" })).text).toContain("Sign in again.");
  browser.cookies.set("__Host-session", session);
  expect((await browser.post("/adminconsent", { consent: "accept" })).status).toBe(400);
  expect(await scopesOf()).toEqual([]);
});

test("unknown clients and addresses get a page, never a redirect", async () => {
  for (const more of [{ client_id: "nobody" }, { redirect_uri: "https://evil.example/" }]) {
    const view = await browser.get(url(1, more));
    expect([view.status, view.location]).toEqual([400, undefined]);
  }
});

test("an application of another tenant gets a home here, if it is for several tenants", async () => {
  const other = await provider.services.tenants.create({ displayName: "Other", domain: `other${counter}.example` });
  await provider.services.users.create(other, {
    userPrincipalName: `root@other${counter}.example`,
    displayName: "Root",
    password: PASSWORD,
    roles: ["Administrator"],
  });
  expect((await browser.get(url(1, {}, other.id))).text).toContain("STS700016");
  const early = answerOf(await signedIn(url(1, {}, "common"), `root@other${counter}.example`));
  expect(early["error"]).toBe("interaction_required");
  expect(early["error_description"]).toContain("STS50020");
  browser = new TestBrowser(provider);
  await provider.services.applications.update(web, { document: { isMultiTenant: true, requiredResources: [] } });
  const page = await signedIn(url(1, {}, other.id), `root@other${counter}.example`);
  expect(answerOf(await browser.submit(page, { consent: "accept" }))["tenant"]).toBe(other.id);
  const admitted = await provider.services.applications.findByAppId(web.appId);
  expect(admitted?.servicePrincipals.has(other.id)).toBe(true);
});
