import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { claimsOf, PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let api: Application;
let client: Application;
let alice: string;
let counter = 0;

beforeAll(async () => {
  provider = await TestProvider.start();
  alice = await provider.createUser("alice");
});
afterAll(() => provider.stop());
beforeEach(async () => {
  counter += 1;
  api = await provider.createApplication(`api${counter}`);
  client = await provider.createApplication(`client${counter}`, { isPublic: true });
  const { body } = await provider.manage("GET", "/policies/tokenLifetimePolicies");
  for (const { id } of body["value"] as { id: string }[]) {
    await provider.manage("DELETE", `/policies/tokenLifetimePolicies/${id}`);
  }
});

const policy = (members: object, more: object = {}) =>
  provider.manage("POST", "/policies/tokenLifetimePolicies", {
    displayName: "policy",
    definition: [JSON.stringify({ TokenLifetimePolicy: { Version: 1, ...members } })],
    ...more,
  });
const assign = async (path: string, members: object) => {
  const { body } = await policy(members);
  const id = String(body["id"]);
  const reference = { "@odata.id": `https://localhost:8443/v1.0/policies/tokenLifetimePolicies/${id}` };
  expect((await provider.manage("POST", `${path}/tokenLifetimePolicies/$ref`, reference)).status).toBe(204);
  return id;
};
const signIn = async () => {
  const { body } = await provider.token(1, {
    grant_type: "password",
    username: alice,
    password: PASSWORD,
    resource: api.appId,
    client_id: client.appId,
    scope: "openid",
  });
  return body;
};
const lifeOf = (token: unknown): number => {
  const { exp, iat } = claimsOf(token) as { exp: number; iat: number };
  return exp - iat;
};
const refresh = (token: unknown) =>
  provider.token(1, { grant_type: "refresh_token", refresh_token: String(token), client_id: client.appId });

describe("access and id tokens", () => {
  test("an hour without a policy", async () => {
    const body = await signIn();
    expect([lifeOf(body["access_token"]), lifeOf(body["id_token"]), body["expires_in"]]).toEqual([3600, 3600, "3599"]);
  });

  test("the resource's policy is the access token's, the client's is the id token's", async () => {
    await assign(`/applications/${api.id}`, { AccessTokenLifetime: "02:30:00" });
    await assign(`/applications/${client.id}`, { AccessTokenLifetime: "00:10:00" });
    const body = await signIn();
    expect([lifeOf(body["access_token"]), lifeOf(body["id_token"])]).toEqual([9000, 600]);
    expect(body["expires_in"]).toBe("8999");
  });

  test("principal before registration before the tenant's default", async () => {
    await policy({ AccessTokenLifetime: "00:20:00" }, { isOrganizationDefault: true });
    expect(lifeOf((await signIn())["access_token"])).toBe(1200);
    await assign(`/applications/${api.id}`, { AccessTokenLifetime: "00:30:00" });
    expect(lifeOf((await signIn())["access_token"])).toBe(1800);
    const principal = api.servicePrincipals.get(provider.tenant.id) ?? "";
    const id = await assign(`/servicePrincipals/${principal}`, { AccessTokenLifetime: "1.00:00:00" });
    expect(lifeOf((await signIn())["access_token"])).toBe(86_400);
    const path = `/servicePrincipals/${principal}/tokenLifetimePolicies`;
    expect((await provider.manage("GET", path)).body["value"]).toMatchObject([{ id }]);
    expect((await provider.manage("DELETE", `${path}/${id}/$ref`)).status).toBe(204);
    expect(lifeOf((await signIn())["access_token"])).toBe(1800);
  });

  test("applications without a user likewise", async () => {
    const service = await provider.createConfidential(`service${counter}`);
    await assign(`/applications/${api.id}`, { AccessTokenLifetime: "04:00:00" });
    const { body } = await provider.token(2, {
      grant_type: "client_credentials",
      client_id: service.appId,
      client_secret: `secret of service${counter}`,
      scope: `${api.appId}/.default`,
    });
    expect(body["expires_in"]).toBe(14_399);
  });
});

describe("refresh tokens", () => {
  test("end when they aren't used", async () => {
    await assign(`/applications/${client.id}`, { MaxInactiveTime: "01:00:00" });
    const first = await signIn();
    provider.clock.advance(3_500_000);
    const second = await refresh(first["refresh_token"]);
    expect(second.status).toBe(200);
    provider.clock.advance(3_601_000);
    expect((await refresh(second.body["refresh_token"])).body).toMatchObject({ error_codes: [700082] });
  });

  test("end with the age of the sign-in, however often they are used", async () => {
    await assign(`/applications/${client.id}`, { MaxAgeSingleFactor: "01:00:00" });
    const first = await signIn();
    provider.clock.advance(3_000_000);
    const second = await refresh(first["refresh_token"]);
    provider.clock.advance(601_000);
    expect((await refresh(second.body["refresh_token"])).body).toMatchObject({ error: "invalid_grant" });
  });

  test("are used up as the application says", async () => {
    const useTwice = async () => {
      const { refresh_token: token } = await signIn();
      await refresh(token);
      provider.clock.advance(31_000);
      return (await refresh(token)).status;
    };
    expect(await useTwice()).toBe(400);
    await provider.manage("PATCH", `/applications/${client.id}`, { refreshTokens: { rotate: "never" } });
    expect(await useTwice()).toBe(200);
    const bad = await provider.manage("PATCH", `/applications/${client.id}`, { refreshTokens: { rotate: "weekly" } });
    expect(bad.status).toBe(400);
  });
});

test.each([
  ["below ten minutes", { AccessTokenLifetime: "00:09:59" }],
  ["above a day", { AccessTokenLifetime: "1.00:00:01" }],
  ["no time", { AccessTokenLifetime: "an hour" }],
  ["a number", { AccessTokenLifetime: 3600 }],
  ["an unknown word", { AccessTokenLife: "01:00:00" }],
])("%s is refused", async (_name, members) => {
  expect((await policy(members)).status).toBe(400);
});

test.each([[[]], [["{"]], [["[]"]], [["{}", "{}"]], [undefined]])(
  "the definition %o is refused",
  async (definition) => {
    const body = { displayName: "policy", ...(definition === undefined ? {} : { definition }) };
    expect((await provider.manage("POST", "/policies/tokenLifetimePolicies", body)).status).toBe(400);
  },
);
