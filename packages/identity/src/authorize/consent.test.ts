import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application, type PermissionScope } from "../applications/application.ts";
import { TestBrowser, type View } from "../testing/test-browser.ts";
import { claimsOf, DOMAIN, PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let browser: TestBrowser;
let web: Application;
let api: Application;
let user: string;
let counter = 0;
const BACK = "https://web.contoso.example/back";

const scope = (value: string, consentBy: "User" | "Admin"): PermissionScope => ({
  id: crypto.randomUUID(),
  value,
  description: `may ${value}`,
  consentBy,
  isEnabled: true,
});

beforeAll(async () => {
  provider = await TestProvider.start();
  const scopes = [scope("Orders.Read", "User"), scope("Orders.Write", "User"), scope("Orders.All", "Admin")];
  api = await provider.createApplication("api", { tokenVersion: 2, scopes }, ["api://orders"]);
  await provider.services.users.create(provider.tenant, {
    userPrincipalName: `root@${DOMAIN}`,
    displayName: "Root",
    password: PASSWORD,
    roles: ["Administrator"],
  });
});
afterAll(() => provider.stop());
beforeEach(async () => {
  browser = new TestBrowser(provider);
  counter += 1;
  web = await provider.createConfidential(`web${counter}`, { redirectUris: [{ uri: BACK, type: "web" }] });
  user = await provider.createUser(`user${counter}`);
});

const request = (scopes: string, more: Record<string, string> = {}): string =>
  `/common/oauth2/v2.0/authorize?${new URLSearchParams({
    client_id: web.appId,
    redirect_uri: BACK,
    response_type: "code",
    scope: scopes,
    state: "s",
    ...more,
  }).toString()}`;
const answerOf = (view: View): URLSearchParams => new URL(view.location ?? "").searchParams;
/** Up to the page that follows the password. */
const passwordOnly = async (url: string, username = user): Promise<View> =>
  browser.submit(await browser.get(url), { username, password: PASSWORD });
const redeem = (view: View) =>
  provider.token(2, {
    grant_type: "authorization_code",
    code: answerOf(view).get("code") ?? "",
    client_id: web.appId,
    client_secret: `secret of web${counter}`,
    redirect_uri: BACK,
  });

describe("the consent page", () => {
  test("shows who wants what, is asked once, and again for more", async () => {
    const page = await passwordOnly(request("openid api://orders/Orders.Read"));
    expect(page.text).toContain(`web${counter}`);
    expect(page.text).toContain("Sign you in");
    expect(page.text).toContain("may Orders.Read");
    expect(page.text).not.toContain("everybody");
    const answer = await browser.submit(page, { consent: "accept" });
    expect(claimsOf((await redeem(answer)).body["access_token"])["scp"]).toBe("Orders.Read");
    expect((await browser.get(request("openid api://orders/Orders.Read"))).location).toContain("code=");
    const more = await browser.get(request("api://orders/Orders.Read api://orders/Orders.Write"));
    expect(more.text).toContain("may Orders.Write");
  });

  test("declined: access_denied for the client", async () => {
    const page = await passwordOnly(request("api://orders/Orders.Read"));
    const answer = answerOf(await browser.submit(page, { consent: "decline" }));
    expect([answer.get("error"), answer.get("state")]).toEqual(["access_denied", "s"]);
    expect(answer.get("error_description")).toContain("STS65004");
  });

  test("needs the session it was shown to", async () => {
    const page = await passwordOnly(request("api://orders/Orders.Read"));
    browser.cookies.delete("__Host-session");
    const again = await browser.submit(page, { consent: "accept" });
    expect(again.text).toContain("Sign in again.");
  });

  test("prompt=consent asks although all is granted; prompt=none never asks", async () => {
    const first = answerOf(await browser.get(request("api://orders/Orders.Read", { prompt: "none" })));
    expect(first.get("error")).toBe("login_required");
    await passwordOnly(request("api://orders/Orders.Read"));
    const silent = answerOf(await browser.get(request("api://orders/Orders.Read", { prompt: "none" })));
    expect(silent.get("error")).toBe("interaction_required");
    expect(silent.get("error_description")).toContain("STS65001");
    await browser.agree(await browser.get(request("api://orders/Orders.Read")));
    const asked = await browser.get(request("api://orders/Orders.Read", { prompt: "consent" }));
    expect(asked.text).toContain('name="consent"');
    expect((await browser.submit(asked, { consent: "accept" })).location).toContain("code=");
  });

  test("an administrator's permission: refused to users, asked of administrators, for everybody if they say so", async () => {
    const refused = await passwordOnly(request("api://orders/Orders.All"));
    expect([refused.status, refused.location]).toEqual([400, undefined]);
    expect(refused.text).toContain("STS90094: Ask an administrator");
    const silent = answerOf(await browser.get(request("api://orders/Orders.All", { prompt: "none" })));
    expect(silent.get("error")).toBe("interaction_required");
    browser = new TestBrowser(provider);
    const page = await passwordOnly(request("api://orders/Orders.All"), `root@${DOMAIN}`);
    expect(page.text).toContain("everybody");
    expect((await browser.submit(page, { consent: "accept", everybody: "yes" })).location).toContain("code=");
    browser = new TestBrowser(provider);
    const answer = await passwordOnly(request("api://orders/Orders.All"));
    expect(claimsOf((await redeem(answer)).body["access_token"])["scp"]).toBe("Orders.All");
  });

  test("/.default leaves out what only an administrator may give", async () => {
    const page = await passwordOnly(request("api://orders/.default"));
    expect(page.text).not.toContain("Orders.All");
    const tokens = await redeem(await browser.submit(page, { consent: "accept" }));
    expect(claimsOf(tokens.body["access_token"])["scp"]).toBe("Orders.Read Orders.Write");
    expect(tokens.body["scope"]).toBe("api://orders/.default api://orders/Orders.Read api://orders/Orders.Write");
  });

  test("isn't shown to clients that the resource authorized beforehand", async () => {
    const [read] = api.document.scopes;
    await provider.services.applications.update(api, {
      document: { preAuthorizedClients: [{ appId: web.appId, scopeIds: [read?.id ?? ""] }] },
    });
    expect((await passwordOnly(request("api://orders/Orders.Read"))).location).toContain("code=");
  });
});

test("a v2 client that refreshes for more than was agreed to is told so", async () => {
  const page = await passwordOnly(request("openid offline_access api://orders/Orders.Read"));
  const { body } = await redeem(await browser.submit(page, { consent: "accept" }));
  const more = await provider.token(2, {
    grant_type: "refresh_token",
    refresh_token: String(body["refresh_token"]),
    client_id: web.appId,
    client_secret: `secret of web${counter}`,
    scope: "api://orders/Orders.Write",
  });
  expect(more.body).toMatchObject({ error: "invalid_grant", suberror: "consent_required", error_codes: [65001] });
});

test("stay signed in keeps the cookie and the session for 90 days", async () => {
  await browser.agree(await passwordOnly(request("openid")));
  expect(browser.cookies.has("__Host-session")).toBe(true);
  provider.clock.advance(25 * 3_600_000);
  expect(answerOf(await browser.get(request("openid", { prompt: "none" }))).get("error")).toBe("login_required");
  const page = await browser.get(request("openid"));
  const answer = await browser.submit(page, { username: user, password: PASSWORD, stay: "yes" });
  expect(answer.headers["set-cookie"]).toContain("Max-Age=7776000");
  provider.clock.advance(89 * 24 * 3_600_000);
  expect((await browser.get(request("openid", { prompt: "none" }))).location).toContain("code=");
});

describe("what the directory says about a user", () => {
  const role = (value: string) => ({
    id: crypto.randomUUID(),
    value,
    displayName: value,
    description: "",
    allowedMemberTypes: ["User", "Application"] as const,
    isEnabled: true,
  });
  const idOf = async (name: string) =>
    (await provider.services.users.findByName(provider.tenant.id, name))?.id ?? "nobody";

  test("roles in access and id tokens, also by group; groups where the manifest asks for them", async () => {
    const { services, tenant } = provider;
    const appRoles = [role("Reader"), role("Writer")];
    const resource = await provider.createApplication("roles", { appRoles, groupMembershipClaims: "SecurityGroup" });
    const group = await services.groups.create(tenant.id, { displayName: "readers", mailNickname: "readers" });
    await services.groups.addMember(group, { kind: "user", id: await idOf(user) });
    const assigned = {
      ...resource,
      ...resource.document,
      applicationId: resource.id,
      servicePrincipalId: resource.servicePrincipals.get(tenant.id) ?? "",
    };
    await services.appRoleAssignments.assign(
      tenant.id,
      { kind: "group", id: group.id },
      assigned,
      appRoles[0]?.id ?? "",
    );
    const principal = { kind: "servicePrincipal", id: web.servicePrincipals.get(tenant.id) ?? "" } as const;
    await services.appRoleAssignments.assign(tenant.id, principal, assigned, appRoles[1]?.id ?? "");
    const answer = await browser.agree(await passwordOnly(request(`${resource.appId}/.default`)));
    const claims = claimsOf((await redeem(answer)).body["access_token"]);
    expect(claims).toMatchObject({ roles: ["Reader"], groups: [group.id] });
    const alone = await provider.token(2, {
      grant_type: "client_credentials",
      client_id: web.appId,
      client_secret: `secret of web${counter}`,
      scope: `${resource.appId}/.default`,
    });
    expect(claimsOf(alone.body["access_token"])["roles"]).toEqual(["Writer"]);
  });

  test("a resource that requires assignment", async () => {
    const { services, tenant } = provider;
    const uri = `api://closed${counter}`;
    const closed = await provider.createApplication("closed", {}, [uri]);
    const client = await provider.createConfidential("caller", {
      redirectUris: [{ uri: "https://caller.example/back", type: "web" }],
    });
    const caller = { client_id: client.appId, client_secret: "secret of caller" };
    const passwordGrant = () =>
      provider.token(1, { ...caller, grant_type: "password", username: user, password: PASSWORD, resource: uri });
    const query = new URLSearchParams({ client_id: client.appId, response_type: "code", resource: uri });
    const newAnswer = async () => answerOf(await browser.signIn(`/common/oauth2/authorize?${query.toString()}`, user));
    const exchange = (code: string | null) =>
      provider.token(1, { ...caller, grant_type: "authorization_code", code: code ?? "" });
    const refresh = (token: unknown) =>
      provider.token(1, { ...caller, grant_type: "refresh_token", refresh_token: String(token) });
    const { body: before } = await passwordGrant();
    const code = (await newAnswer()).get("code");

    await services.applications.update(closed, { document: { requiresAssignment: true } });
    for (const refused of [await passwordGrant(), await refresh(before["refresh_token"]), await exchange(code)]) {
      expect(refused.body).toMatchObject({ error: "interaction_required", error_codes: [50105] });
    }
    const silent = await browser.get(`/common/oauth2/authorize?${query.toString()}`);
    expect(answerOf(silent).get("error_description")).toContain("STS50105");

    const principal = { kind: "user", id: await idOf(user) } as const;
    const resource = { ...closed, ...closed.document, applicationId: closed.id, servicePrincipalId: "" };
    await services.appRoleAssignments.assign(tenant.id, principal, resource, "00000000-0000-0000-0000-000000000000");
    for (const answer of [await passwordGrant(), await refresh(before["refresh_token"]), await exchange(code)]) {
      expect(answer.status).toBe(200);
    }
  });

  test("an application that requires assignment", async () => {
    const { services, tenant } = provider;
    await services.applications.update(web, { document: { requiresAssignment: true } });
    const refused = answerOf(await passwordOnly(request("openid")));
    expect(refused.get("error_description")).toContain("STS50105");
    const closed = await provider.createApplication("closed", { requiresAssignment: true });
    const fields = {
      grant_type: "client_credentials",
      client_id: web.appId,
      client_secret: `secret of web${counter}`,
      scope: `${closed.appId}/.default`,
    };
    expect((await provider.token(2, fields)).body["error_codes"]).toEqual([501051]);
    const principal = { kind: "servicePrincipal", id: web.servicePrincipals.get(tenant.id) ?? "" } as const;
    const resource = {
      ...closed,
      ...closed.document,
      applicationId: closed.id,
      servicePrincipalId: closed.servicePrincipals.get(tenant.id) ?? "",
    };
    await services.appRoleAssignments.assign(tenant.id, principal, resource, "00000000-0000-0000-0000-000000000000");
    expect((await provider.token(2, fields)).status).toBe(200);
  });

  test("optional claims", async () => {
    const claim = (name: string) => ({ name, source: null, essential: false, additionalProperties: [] });
    const optionalClaims = { idToken: [claim("upn"), claim("unknown")], accessToken: [], saml2Token: [] };
    await provider.services.applications.update(web, { document: { optionalClaims } });
    const answer = await browser.agree(await passwordOnly(request("openid")));
    expect(claimsOf((await redeem(answer)).body["id_token"])["upn"]).toBe(user);
  });
});
