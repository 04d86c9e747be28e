import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestBrowser } from "../testing/test-browser.ts";
import { DOMAIN, PASSWORD, TestProvider } from "../testing/test-provider.ts";
import { activityOf } from "./management-activities.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await TestProvider.start();
});
afterAll(() => provider.stop());

type Line = Record<string, unknown>;

async function lines(query = ""): Promise<Line[]> {
  const response = await provider.app.inject({
    method: "GET",
    url: `/v1.0/auditLogs${query}`,
    headers: { authorization: "Bearer test-administrator" },
  });
  expect(response.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
  return response.body
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

describe("administration", () => {
  test("is recorded with who, what and when, refusals too, and never with a value", async () => {
    const created = await provider.manage("POST", "/users", {
      userPrincipalName: `recorded@${DOMAIN}`,
      passwordProfile: { password: "a secret password" },
    });
    const refused = await provider.manage("POST", "/users", { userPrincipalName: `recorded@${DOMAIN}` });
    const { innerError } = refused.body["error"] as { innerError: Record<string, string> };
    await provider.manage("GET", `/users/recorded@${DOMAIN}`);
    const events = (await lines("?category=administration")).filter((each) => each["activity"] === "Add user");
    expect(events).toMatchObject([
      {
        outcome: "success",
        time: new Date(provider.clock.now()).toISOString(),
        tenantId: provider.tenant.id,
        actor: { kind: "installation" },
        target: { kind: "user", id: created.body["id"], name: `recorded@${DOMAIN}` },
        ipAddress: "127.0.0.1",
        details: { changed: ["userPrincipalName", "passwordProfile"] },
      },
      { outcome: "failure", errorCodes: [409], correlationId: innerError["client-request-id"] },
    ]);
    expect(JSON.stringify(await lines())).not.toContain("a secret password");
  });

  test("of credentials has a category of its own", async () => {
    const { id } = await provider.createApplication("credentials");
    const { body } = await provider.manage("POST", `/applications/${id}/addPassword`, {});
    const events = await lines("?category=credential");
    expect(events).toMatchObject([{ activity: "Add secret", target: { kind: "application", id } }]);
    expect(JSON.stringify(events)).not.toContain(body["secretText"]);
  });

  test("a password that is set is a credential's event", async () => {
    const name = await provider.createUser("changed");
    await provider.manage("PATCH", `/users/${name}`, { passwordProfile: { password: "another secret password" } });
    await provider.manage("PATCH", `/users/${name}`, { displayName: "Changed" });
    const activities = (await lines()).map((each) => [each["category"], each["activity"]]);
    expect(activities.slice(-2)).toEqual([
      ["credential", "Set password of user"],
      ["administration", "Update user"],
    ]);
  });

  test.each([
    ["GET", "/users", undefined],
    ["POST", "/users/:id/getMemberGroups", undefined],
    ["POST", "/users", "Add user"],
    ["POST", "/something/new", "POST /something/new"],
  ])("%s %s is %s", (method, route, activity) => {
    expect(activityOf(method, route)?.activity).toBe(activity);
  });
});

describe("sign-ins", () => {
  test("are recorded whether they succeed or not", async () => {
    const client = await provider.createApplication("client", { isPublic: true });
    const alice = await provider.createUser("alice");
    const grant = (password: string) =>
      provider.token(1, {
        grant_type: "password",
        client_id: client.appId,
        username: alice,
        password,
        resource: client.appId,
      });
    await grant("wrong password");
    await grant(PASSWORD);
    await provider.token(1, { grant_type: "nonsense" });
    const authorization = `Basic ${Buffer.from(`${client.appId}:a secret`).toString("base64")}`;
    await provider.token(1, { grant_type: "refresh_token" }, { headers: { authorization } });
    const user = await provider.services.users.findByName(provider.tenant.id, alice);
    expect(await lines("?category=sign-in")).toMatchObject([
      { outcome: "failure", actor: { name: alice }, clientAppId: client.appId, errorCodes: [50126] },
      {
        outcome: "success",
        activity: "Token request",
        tenantId: provider.tenant.id,
        actor: { kind: "user", id: user?.id, name: alice },
        clientAppId: client.appId,
        resourceAppId: client.appId,
        details: { grant: "password" },
      },
      { outcome: "failure", errorCodes: [70003] },
      { outcome: "failure", errorCodes: [700025], clientAppId: client.appId },
    ]);
    expect(JSON.stringify(await lines())).not.toContain(PASSWORD);
    expect(JSON.stringify(await lines())).not.toContain("wrong password");
  });
});

describe("pages", () => {
  test("are recorded: what was entered wrongly, a new password, the sign-in, the consent", async () => {
    provider.clock.advance(1_000);
    const since = `?since=${new Date(provider.clock.now()).toISOString()}`;
    const scope = {
      id: "3f0a6d63-7c0d-4f2a-8f6e-0d1c2b3a4f5e",
      value: "Read",
      description: "",
      consentBy: "User",
      isEnabled: true,
    } as const;
    await provider.createApplication("pages api", { scopes: [scope] }, ["api://pages"]);
    const redirectUris = [{ uri: "https://web.example/back", type: "web" }] as const;
    const web = await provider.createConfidential("pages client", { redirectUris });
    const paula = await provider.createUser("paula", true);
    const browser = new TestBrowser(provider);
    const parameters = { client_id: web.appId, response_type: "code", scope: "openid api://pages/Read", state: "s" };
    const page = await browser.get(`/common/oauth2/v2.0/authorize?${new URLSearchParams(parameters).toString()}`);
    const again = await browser.submit(page, { username: paula, password: "wrong password" });
    const change = await browser.submit(again, { username: paula, password: PASSWORD });
    const fresh = "a fresh password";
    const consent = await browser.submit(change, { new_password: fresh, repeated_password: fresh });
    expect((await browser.agree(consent)).location).toContain("code=");
    const actor = { kind: "user", name: paula };
    expect(await lines(since)).toMatchObject([
      { category: "sign-in", activity: "Sign in", outcome: "failure", actor, clientAppId: web.appId },
      { category: "sign-in", activity: "Password must be changed", outcome: "success", actor },
      { category: "credential", activity: "Change own password", outcome: "success", actor, target: actor },
      { category: "sign-in", activity: "Sign in", outcome: "success", actor, tenantId: provider.tenant.id },
      {
        category: "consent",
        activity: "Consent to application",
        actor,
        target: { kind: "application", name: "pages client" },
        details: { scopes: ["Read"], for: "the user" },
      },
      { category: "sign-in", activity: "Sign-on", outcome: "success", actor, clientAppId: web.appId },
    ]);
    expect(JSON.stringify(await lines(since))).not.toContain(fresh);
  });
});

test("a hosted application's tokens and a client's revocations are sign-in events", async () => {
  provider.clock.advance(1_000);
  const since = `?since=${new Date(provider.clock.now()).toISOString()}&category=sign-in`;
  const { body } = await provider.manage("POST", "/managedIdentities", { name: "hosted" });
  const ask = (resource: string) =>
    provider.get(`/msi/token?api-version=2019-08-01&resource=${resource}`, {
      "x-identity-header": String(body["identityHeader"]),
    });
  const { appId } = await provider.createApplication("revoker", { isPublic: true });
  await ask(appId);
  await ask("api://nothing");
  await provider.post(`/${provider.tenant.id}/oauth2/v2.0/revoke`, `client_id=${appId}&token=x`).catch(() => undefined);
  expect(await lines(since)).toMatchObject([
    { activity: "Managed identity token", outcome: "success", actor: { name: "hosted" }, resourceAppId: appId },
    { activity: "Managed identity token", outcome: "failure", errorCodes: [400] },
    { activity: "Revoke token", clientAppId: appId },
  ]);
});

describe("the log", () => {
  test("keeps the order, answers for a span, and forgets after its time", async () => {
    const { audit } = provider.services;
    provider.clock.advance(60_000);
    const startMs = provider.clock.now();
    for (let number = 0; number < 1_201; number += 1) {
      void audit.note({ category: "administration", activity: `step ${number}`, outcome: "success" });
    }
    const since = `?since=${new Date(startMs).toISOString()}`;
    const steps = (await lines(since)).map((each) => each["activity"]);
    expect(steps).toEqual(Array.from({ length: 1_201 }, (_, number) => `step ${number}`));
    expect(await lines(`?until=${new Date(startMs).toISOString()}`)).not.toHaveLength(0);
    provider.clock.advance(29 * 24 * 3_600_000);
    await audit.sweep();
    expect(await lines(since)).toHaveLength(1_201);
    provider.clock.advance(24 * 3_600_000 + 1);
    await audit.sweep();
    expect(await lines(since)).toEqual([]);
  });

  test("is of one tenant when that is asked for", async () => {
    const tenant = await provider.services.tenants.create({ displayName: "F", domain: "f.example" });
    const event = { category: "administration", activity: "there", outcome: "success", tenantId: tenant.id } as const;
    await provider.services.audit.append(event);
    const response = await provider.app.inject({
      method: "GET",
      url: "/v1.0/auditLogs",
      headers: { authorization: "Bearer test-administrator", "x-tenant": tenant.id },
    });
    expect(
      response.body
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as Line)["activity"]),
    ).toEqual(["there"]);
  });

  test.each(["?since=yesterday", "?until=x", "?category=x"])("%s is refused", async (query) => {
    expect((await provider.manage("GET", `/auditLogs${query}`)).status).toBe(400);
  });

  test("shortens what a stranger made too long", async () => {
    const actor = { kind: "user", name: "x".repeat(10_000) } as const;
    await provider.services.audit.append({ category: "sign-in", activity: "long", outcome: "failure", actor });
    const [line] = (await lines()).filter((each) => each["activity"] === "long");
    expect(JSON.stringify(line).length).toBeLessThan(1_000);
  });
});

test("silent sign-ons, devices and sign-outs are on record", async () => {
  provider.clock.advance(1_000);
  const since = `?since=${new Date(provider.clock.now()).toISOString()}&category=sign-in`;
  const erin = await provider.createUser("erin");
  const back = "https://silent.contoso.example/back";
  const client = await provider.createApplication("silent client", {
    isPublic: true,
    redirectUris: [{ uri: back, type: "web" }],
  });
  const browser = new TestBrowser(provider);
  const query = new URLSearchParams({ client_id: client.appId, redirect_uri: back, response_type: "code" });
  await browser.signIn(`/common/oauth2/authorize?${query.toString()}`, erin);
  await browser.get(`/common/oauth2/authorize?${query.toString()}&prompt=none`);
  await browser.get(`/common/oauth2/authorize?${query.toString()}&resource=https://nowhere.example`);
  const { body } = await provider.post("/common/oauth2/v2.0/devicecode", `client_id=${client.appId}&scope=openid`);
  const codePage = await browser.get("/device");
  const confirm = await browser.submit(codePage, { user_code: String(body["user_code"]) });
  await browser.submit(confirm, { consent: "accept" });
  await browser.get("/common/oauth2/v2.0/logout");
  const actor = { kind: "user", name: erin };
  const clientAppId = client.appId;
  expect(await lines(since)).toMatchObject([
    { activity: "Sign in", outcome: "success", actor },
    { activity: "Sign-on", outcome: "success", actor, clientAppId },
    { activity: "Silent sign-on", outcome: "success", actor, clientAppId },
    { activity: "Sign-on", outcome: "failure", errorCodes: [500011], clientAppId },
    { activity: "Sign a device in", outcome: "success", actor, clientAppId },
    { activity: "Sign-out", outcome: "success", actor },
  ]);
});
