import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { claimsOf, PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let frontId: string;
let middle: Application;
let back: Application;
let alice: string;
const MIDDLE = "api://middle";
const BACK = "https://back.contoso.example";

beforeAll(async () => {
  provider = await TestProvider.start();
  frontId = (await provider.createApplication("front", { isPublic: true })).appId;
  middle = await provider.createConfidential("middle");
  await provider.services.applications.update(middle, { identifierUris: [MIDDLE] });
  back = await provider.createApplication("back", {}, [BACK]);
  alice = await provider.createUser("alice");
});
afterAll(() => provider.stop());

async function tokenFor(resource: string): Promise<string> {
  const fields = { grant_type: "password", username: alice, password: PASSWORD, client_id: frontId };
  return String((await provider.token(1, { ...fields, resource, scope: "openid" })).body["access_token"]);
}

const exchange = (version: 1 | 2, assertion: string, more: Record<string, string> = {}) =>
  provider.token(version, {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    requested_token_use: "on_behalf_of",
    assertion,
    client_id: middle.appId,
    client_secret: "secret of middle",
    ...(version === 1 ? { resource: BACK } : { scope: `openid offline_access ${BACK}/.default` }),
    ...more,
  });

test("needs a consent of its own", async () => {
  const { status, body } = await exchange(2, await tokenFor(MIDDLE));
  expect([status, body["error"], body["suberror"]]).toEqual([400, "invalid_grant", "consent_required"]);
});

describe("with an administrator's consent", () => {
  beforeAll(async () => {
    await provider.services.permissionGrants.grant({
      tenantId: provider.tenant.id,
      clientApplicationId: middle.id,
      resource: { appId: back.appId, applicationId: back.id },
      consentedBy: "everybody",
      scopes: ["user_impersonation"],
    });
  });

  test("an assertion of another kind than a JWT is refused", async () => {
    const type = (name: string) => ({ requested_token_type: `urn:ietf:params:oauth:token-type:${name}` });
    const token = await tokenFor(MIDDLE);
    expect((await exchange(2, token, type("saml2"))).body["error_codes"]).toEqual([90014]);
    expect((await exchange(2, token, type("access_token"))).status).toBe(200);
  });

  test.each([1, 2] as const)("v%i: a token for the next service, in the user's name", async (version) => {
    for (const audience of [MIDDLE, middle.appId, `spn:${middle.appId}`, `${MIDDLE}/`]) {
      const { status, body } = await exchange(version, await tokenFor(audience));
      expect(status).toBe(200);
      expect(claimsOf(body["access_token"])).toMatchObject({
        aud: BACK,
        appid: middle.appId,
        appidacr: "1",
        upn: alice,
        amr: ["pwd"],
      });
      expect(body["refresh_token"]).toEqual(expect.any(String));
      expect(body["id_token"]).toEqual(expect.any(String));
    }
  });

  test.each([
    ["another audience", () => tokenFor(BACK), 500131],
    ["no JWT", () => Promise.resolve("nonsense"), 50013],
    ["a changed token", async () => (await tokenFor(MIDDLE)).replace(/[^.]+$/, "A".repeat(342)), 50013],
  ])("%s", async (_what, make, code) => {
    const { body } = await exchange(1, await make());
    expect([body["error"], body["error_codes"]]).toEqual(["invalid_grant", [code]]);
  });

  test("an id token, an application's own token, an expired one", async () => {
    const fields = { grant_type: "password", username: alice, password: PASSWORD };
    const credentials = { client_id: middle.appId, client_secret: "secret of middle" };
    const { body } = await provider.token(1, { ...fields, ...credentials, resource: BACK, scope: "openid" });
    expect((await exchange(1, String(body["id_token"]))).body["error_codes"]).toEqual([240002]);
    const own = { grant_type: "client_credentials", ...credentials, resource: MIDDLE };
    const ownToken = String((await provider.token(1, own)).body["access_token"]);
    expect((await exchange(1, ownToken)).body["error_codes"]).toEqual([7000114]);
    const token = await tokenFor(MIDDLE);
    provider.clock.advance(3_600_000);
    expect((await exchange(1, token)).body["error_codes"]).toEqual([500133]);
    provider.clock.advance(-3_600_000);
  });

  test.each([
    ["no assertion", { assertion: "" }, 900144],
    ["no token use", { requested_token_use: "" }, 900144],
    ["another token use", { requested_token_use: "else" }, 90014],
    ["no resource", { resource: "" }, 900144],
    ["a public client", { client_id: "", client_secret: "" }, 900144],
  ])("%s", async (_what, fields, code) => {
    expect((await exchange(1, await tokenFor(MIDDLE), fields)).body["error_codes"]).toEqual([code]);
  });

  test("a public client has no token exchanged", async () => {
    const { body } = await exchange(1, await tokenFor(frontId), { client_id: frontId, client_secret: "" });
    expect(body["error_codes"]).toEqual([7000114]);
  });

  test("a next service that admits other users only", async () => {
    const { applications } = provider.services;
    await applications.update(back, { document: { requiresAssignment: true } });
    const { body } = await exchange(1, await tokenFor(MIDDLE));
    expect([body["error"], body["error_codes"]]).toEqual(["interaction_required", [50105]]);
    await applications.update(back, { document: { requiresAssignment: false } });
  });

  test("the tokens of a disabled user", async () => {
    const token = await tokenFor(MIDDLE);
    await provider.manage("PATCH", `/users/${alice}`, { accountEnabled: false });
    provider.clock.advance(6_000);
    expect((await exchange(1, token)).body["error_codes"]).toEqual([50173]);
  });
});
