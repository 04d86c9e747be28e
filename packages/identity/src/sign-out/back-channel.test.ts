import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { TestBrowser } from "../testing/test-browser.ts";
import { PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";
import { BackChannelSignOut } from "./back-channel-sign-out.ts";
import { findBackChannelUrl } from "./back-channel-url.ts";

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
    otherManifestMembers: { backChannelLogoutUrl: `http://localhost:${port}/out` },
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
  const backChannel = new BackChannelSignOut({ ...services, publicUrl: () => PUBLIC_URL, retryDelaysMs: [1, 1] });
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
  const backChannel = new BackChannelSignOut({ ...services, publicUrl: () => PUBLIC_URL, retryDelaysMs: [60_000] });
  await backChannel.end(session!);
  await backChannel.close();
  expect(received.length).toBeLessThanOrEqual(1);
});

test.each(["http://10.0.0.1/", "ftp://web.example/", "https://a:b@web.example/", "https://web.example/#x", "out", 7])(
  "%s is no address to be told at",
  (backChannelLogoutUrl) => {
    const document = { ...web.document, otherManifestMembers: { backChannelLogoutUrl } };
    expect(findBackChannelUrl({ ...web, document })).toBeUndefined();
  },
);
