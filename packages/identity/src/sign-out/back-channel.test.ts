import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Application } from "../applications/application.ts";
import { TestBrowser } from "../testing/test-browser.ts";
import { claimsOf, PASSWORD, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";
import { BackChannelSignOut } from "./back-channel-sign-out.ts";
import { LogoutDeliveryStore } from "./logout-delivery-store.ts";

let provider: TestProvider;
let receiver: Server;
let web: Application;
let alice: string;
/** What the client answers, one status after the other; 200 afterwards. */
let statuses: number[] = [];
let received: { readonly url: string; readonly type: string | undefined; readonly token: string }[] = [];

beforeAll(async () => {
  provider = await TestProvider.start();
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const token = new URLSearchParams(body).get("logout_token") ?? "";
      received.push({ url: request.url ?? "", type: request.headers["content-type"], token });
      response.writeHead(statuses.shift() ?? 200, { location: "/elsewhere" }).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "localhost", resolve));
  const { port } = receiver.address() as AddressInfo;
  web = await provider.createConfidential("web", {
    redirectUris: [{ uri: "https://web.example/back", type: "web" }],
    backChannelLogoutUrl: `http://localhost:${port}/out`,
  });
  alice = await provider.createUser("alice");
});
afterAll(async () => {
  receiver.close();
  await provider.stop();
});
beforeEach(() => {
  received = [];
  statuses = [];
});

const signIn = async (browser: TestBrowser): Promise<string | null> => {
  const query = new URLSearchParams({ client_id: web.appId, response_type: "code", scope: "openid" });
  const answer = await browser.signIn(`/common/oauth2/v2.0/authorize?${query.toString()}`, alice);
  return new URL(answer.location ?? "").searchParams.get("session_state");
};

/** The sign-out of another process on the same database. */
const another = (retryDelaysMs: readonly number[]): BackChannelSignOut =>
  new BackChannelSignOut({
    ...provider.services,
    deliveries: new LogoutDeliveryStore(provider.provider.database, provider.clock),
    publicUrl: () => PUBLIC_URL,
    retryDelaysMs,
  });

test("sign-out posts a logout token that jose accepts, by discovery's keys", async () => {
  const browser = new TestBrowser(provider);
  const sid = await signIn(browser);
  await browser.get("/common/oauth2/v2.0/logout");
  await provider.services.backChannel.settled();
  expect(received.map(({ url, type }) => [url, type])).toEqual([
    ["/out", "application/x-www-form-urlencoded;charset=UTF-8"],
  ]);
  const keys = createLocalJWKSet((await provider.get(`/${provider.tenant.id}/discovery/v2.0/keys`)).body as never);
  const { payload } = await jwtVerify(received[0]?.token ?? "", keys, {
    typ: "logout+jwt",
    audience: web.appId,
    issuer: `${PUBLIC_URL}/${provider.tenant.id}/v2.0`,
    currentDate: new Date(provider.clock.now()),
    requiredClaims: ["jti", "sub", "iat", "exp"],
  });
  expect(payload).toMatchObject({ sid, events: { "http://schemas.openid.net/event/backchannel-logout": {} } });
  expect(payload).not.toHaveProperty("nonce");
  const config = await provider.get(`/${provider.tenant.id}/v2.0/.well-known/openid-configuration`);
  expect(config.body).toMatchObject({ backchannel_logout_supported: true, backchannel_logout_session_supported: true });
});

test.each([
  { name: "a server's failure is tried again", answers: [500, 503, 200], attempts: 3 },
  { name: "a bounded number of times", answers: [500, 500, 500, 500], attempts: 3 },
  { name: "a refusal is final", answers: [400], attempts: 1 },
  { name: "redirects lead nowhere", answers: [307], attempts: 1 },
])("$name", async ({ answers, attempts }) => {
  await signIn(new TestBrowser(provider));
  const { services } = provider;
  const user = await services.users.findByName(provider.tenant.id, alice);
  const [session] = user === undefined ? [] : await services.sessions.listOf(user);
  statuses = [...answers];
  const backChannel = another([1, 1]);
  await backChannel.end(session!);
  await backChannel.settled();
  expect(received.map(({ url }) => url)).toEqual(Array.from({ length: attempts }, () => "/out"));
});

test("closing gives up what waits for another attempt", async () => {
  const browser = new TestBrowser(provider);
  await signIn(browser);
  statuses = [500];
  const { services } = provider;
  const user = await services.users.findByName(provider.tenant.id, alice);
  const [session] = user === undefined ? [] : await services.sessions.listOf(user);
  const backChannel = another([60_000]);
  await backChannel.end(session!);
  await vi.waitFor(() => expect(received).toHaveLength(1));
  await backChannel.close();
  expect(received).toHaveLength(1);
  // The next process goes on with it.
  const next = another([1]);
  await next.goOn();
  await next.settled();
  expect(received).toHaveLength(2);
  await next.goOn();
  await next.settled();
  expect(received).toHaveLength(2);
});

test("what a process that was killed left behind is found when its time is over", async () => {
  await signIn(new TestBrowser(provider));
  const { services } = provider;
  const user = await services.users.findByName(provider.tenant.id, alice);
  const [session] = await services.sessions.allOf(user!);
  const deliveries = new LogoutDeliveryStore(provider.provider.database, provider.clock);
  const ended = { tenantId: provider.tenant.id, userId: user!.id, userName: alice, sessionId: session!.publicId };
  await deliveries.begin(ended, [{ appId: web.appId, version: 1 }], (transaction) =>
    services.sessions.end(session!, transaction),
  );
  await services.backChannel.goOn();
  await services.backChannel.settled();
  expect(received).toEqual([]);
  provider.clock.advance(31_000);
  await Promise.all([services.backChannel.goOn(), another([1]).goOn()]);
  await services.backChannel.settled();
  await vi.waitFor(() => expect(received).toHaveLength(1));
  expect(claimsOf(received[0]?.token)["iss"]).toBe(`${PUBLIC_URL}/${provider.tenant.id}/`);
});

test("a client that signed in at the endpoint of v1 is told by the issuer it knows", async () => {
  const browser = new TestBrowser(provider);
  await signIn(browser);
  const query = new URLSearchParams({ client_id: web.appId, response_type: "code" });
  expect((await browser.get(`/common/oauth2/authorize?${query.toString()}`)).location).toContain("code=");
  await browser.get("/common/oauth2/logout");
  await provider.services.backChannel.settled();
  expect(received.map(({ token }) => claimsOf(token)["iss"])).toEqual([`${PUBLIC_URL}/${provider.tenant.id}/`]);
});

describe("sessions that somebody else ends", () => {
  const outOf = async (sid: string | null, act: () => Promise<unknown>): Promise<void> => {
    await act();
    await provider.services.backChannel.settled();
    const sids = received.map(({ token }) => claimsOf(token)["sid"]);
    expect(sids).toContain(sid);
  };
  test.each<[string, object]>([
    ["an administrator's new password", { passwordProfile: { password: "another fine password" } }],
    ["a disabled account", { accountEnabled: false }],
  ])("%s", async (_name, change) => {
    const sid = await signIn(new TestBrowser(provider));
    await outOf(sid, () => provider.manage("PATCH", `/users/${alice}`, change));
    await provider.manage("PATCH", `/users/${alice}`, {
      accountEnabled: true,
      passwordProfile: { password: PASSWORD },
    });
  });
  test("all sessions of the user", async () => {
    provider.clock.advance(1_000);
    const sid = await signIn(new TestBrowser(provider));
    provider.clock.advance(1_000);
    await outOf(sid, () => provider.manage("POST", `/users/${alice}/revokeSignInSessions`));
  });
  test("their time", async () => {
    provider.clock.advance(1_000);
    const sid = await signIn(new TestBrowser(provider));
    provider.clock.advance(25 * 3_600_000);
    await outOf(sid, () => provider.provider.sweep());
  });
  test("the end of the account", async () => {
    const bob = await provider.createUser("bob");
    const browser = new TestBrowser(provider);
    const query = new URLSearchParams({ client_id: web.appId, response_type: "code", scope: "openid" });
    const answer = await browser.signIn(`/common/oauth2/v2.0/authorize?${query.toString()}`, bob);
    const sid = new URL(answer.location ?? "").searchParams.get("session_state");
    await outOf(sid, () => provider.manage("DELETE", `/users/${bob}`));
  });
});

test.each(["http://10.0.0.1/", "ftp://web.example/", "https://a:b@web.example/", "https://web.example/#x", "out", 7])(
  "%s is no address to be told at",
  async (backChannelLogoutUrl) => {
    const { status } = await provider.manage("PUT", `/applications/${web.id}/manifest`, { backChannelLogoutUrl });
    expect(status).toBe(400);
  },
);

test("the manifest has the address, and null takes it away", async () => {
  const other = await provider.createApplication("other");
  const path = `/applications/${other.id}/manifest`;
  const backChannelLogoutUrl = "https://other.example/out";
  expect((await provider.manage("PUT", path, { backChannelLogoutUrl })).body).toMatchObject({ backChannelLogoutUrl });
  expect((await provider.manage("GET", `/applications/${other.id}`)).body).toMatchObject({
    web: { backChannelLogoutUrl },
  });
  const gone = await provider.manage("PUT", path, { backChannelLogoutUrl: null });
  expect(gone.body).toMatchObject({ backChannelLogoutUrl: null });
});
