import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBrowser } from "../testing/test-browser.ts";
import { type Answer, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let spaId: string;
let alice: string;
const ORIGIN = "https://spa.contoso.example";
const BACK = `${ORIGIN}/back`;
const VERIFIER = "v".repeat(50);

beforeAll(async () => {
  provider = await TestProvider.start();
  const redirectUris = [
    { uri: BACK, type: "spa" as const },
    { uri: "https://web.contoso.example/back", type: "web" as const },
  ];
  spaId = (await provider.createApplication("spa", { isPublic: true, redirectUris })).appId;
  alice = await provider.createUser("alice");
});
afterAll(() => provider.stop());

async function newCode(redirectUri: string, clientId = spaId): Promise<string> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid offline_access",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
  });
  const view = await new TestBrowser(provider).signIn(`/common/oauth2/v2.0/authorize?${query.toString()}`, alice);
  return new URL(view.location ?? "").searchParams.get("code") ?? "";
}

const send = (fields: Record<string, string>, origin?: string): Promise<Answer> =>
  provider.token(2, { client_id: spaId, ...fields }, origin === undefined ? {} : { headers: { origin } });
const redeem = async (redirectUri: string, origin?: string): Promise<Answer> =>
  send(
    {
      grant_type: "authorization_code",
      code: await newCode(redirectUri),
      redirect_uri: redirectUri,
      code_verifier: VERIFIER,
    },
    origin,
  );

test("a page redeems its code and reads the answer; nobody else does", async () => {
  const own = await redeem(BACK, ORIGIN);
  expect(own.status).toBe(200);
  expect(own.headers["access-control-allow-origin"]).toBe(ORIGIN);
  expect((await redeem(BACK)).body["error_codes"]).toEqual([9002327]);
  const web = "https://web.contoso.example/back";
  expect((await redeem(web)).status).toBe(200);
  expect((await redeem(web, ORIGIN)).body["error_codes"]).toEqual([9002326]);
  const foreign = await redeem(BACK, "https://evil.example");
  expect(foreign.headers["access-control-allow-origin"]).toBeUndefined();
});

test("refusals can be read as well", async () => {
  const answer = await send({ grant_type: "nonsense" }, ORIGIN);
  expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([400, ORIGIN]);
});

test("a preflight is answered; OPTIONS without one stays a wrong method", async () => {
  const options = (headers: Record<string, string>) =>
    provider.app.inject({ method: "OPTIONS", url: "/common/oauth2/v2.0/token", headers });
  const preflight = await options({
    origin: ORIGIN,
    "access-control-request-method": "POST",
    "access-control-request-headers": "x-client-sku",
  });
  expect([preflight.statusCode, preflight.headers["access-control-allow-origin"]]).toEqual([204, ORIGIN]);
  expect(preflight.headers["access-control-allow-headers"]).toBe("x-client-sku");
  expect(preflight.headers["access-control-allow-credentials"]).toBeUndefined();
  expect((await options({ origin: ORIGIN })).statusCode).toBe(405);
});

test("a page ends its sign-in without a credential; who is no page needs one", async () => {
  const redirectUris = [{ uri: BACK, type: "spa" as const }];
  const { appId } = await provider.createConfidential("page", { redirectUris });
  const code = await newCode(BACK, appId);
  const grant = { grant_type: "authorization_code", code, redirect_uri: BACK, code_verifier: VERIFIER };
  const ask = (fields: Record<string, string>): Promise<Answer> =>
    provider.token(2, { client_id: appId, ...fields }, { headers: { origin: ORIGIN } });
  const token = String((await ask(grant)).body["refresh_token"]);
  const form = new URLSearchParams({ token, client_id: appId }).toString();
  const path = `/${provider.tenant.id}/oauth2/v2.0/revoke`;
  const revoke = (headers: Record<string, string>) =>
    provider.app.inject({ method: "POST", url: path, headers, payload: form });
  expect((await revoke({})).json()).toMatchObject({ error_codes: [7000218] });
  expect((await revoke({ origin: ORIGIN })).statusCode).toBe(200);
  expect((await ask({ grant_type: "refresh_token", refresh_token: token })).body["error_codes"]).toEqual([50173]);
});

test("its refresh tokens end a day after the sign-in, however often they are exchanged", async () => {
  let token = String((await redeem(BACK, ORIGIN)).body["refresh_token"]);
  const refresh = () => send({ grant_type: "refresh_token", refresh_token: token }, ORIGIN);
  for (let hours = 0; hours < 20; hours += 5) {
    provider.clock.advance(5 * 3_600_000);
    const { body } = await refresh();
    token = String(body["refresh_token"]);
  }
  provider.clock.advance(5 * 3_600_000);
  expect((await refresh()).body["error_codes"]).toEqual([700084]);
});

test("a page needs no credential when the application is confidential elsewhere, and nothing else is open to it", async () => {
  const web = "https://web.contoso.example/mixed";
  const page = `${ORIGIN}/mixed`;
  const mixed = await provider.createConfidential("mixed", {
    redirectUris: [
      { uri: page, type: "spa" },
      { uri: web, type: "web" },
    ],
  });
  const secret = "secret of mixed";
  const ask = (fields: Record<string, string>, origin?: string): Promise<Answer> =>
    provider.token(2, { client_id: mixed.appId, ...fields }, origin === undefined ? {} : { headers: { origin } });
  const redeemed = async (redirectUri: string, fields: Record<string, string>, origin?: string): Promise<Answer> => {
    const code = await newCode(redirectUri, mixed.appId);
    const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: VERIFIER };
    return ask({ ...grant, ...fields }, origin);
  };
  const refused = (answer: Answer) => answer.body["error_codes"];

  const own = await redeemed(page, {}, ORIGIN);
  expect(own.status).toBe(200);
  const refresh = { grant_type: "refresh_token", refresh_token: String(own.body["refresh_token"]) };
  expect(refused(await ask(refresh))).toEqual([7000218]);
  expect((await ask(refresh, ORIGIN)).status).toBe(200);
  provider.clock.advance(60_000);
  expect(refused(await ask(refresh, ORIGIN))).toEqual([50173]);

  expect(refused(await redeemed(web, {}))).toEqual([7000218]);
  expect(refused(await redeemed(web, {}, ORIGIN))).toEqual([9002326]);
  const elsewhere = await redeemed(web, { client_secret: secret });
  expect(elsewhere.status).toBe(200);
  const stolen = { grant_type: "refresh_token", refresh_token: String(elsewhere.body["refresh_token"]) };
  expect(refused(await ask(stolen, ORIGIN))).toEqual([7000218]);
  expect((await ask({ ...stolen, client_secret: secret })).status).toBe(200);
  for (const grant_type of ["client_credentials", "password"]) {
    const fields = { grant_type, scope: "openid", username: alice, password: "x" };
    expect((await ask(fields, ORIGIN)).status).toBe(401);
  }
});
