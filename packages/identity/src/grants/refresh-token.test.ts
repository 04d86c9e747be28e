import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { postgresServer } from "../testing/test-database.ts";
import { claimsOf, PASSWORD, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let publicId: string;
let confidentialId: string;
let alice: string;
const RESOURCE = "https://api.contoso.example";

beforeEach(async () => {
  provider = await TestProvider.start();
  publicId = (await provider.createApplication("public", { isPublic: true })).appId;
  confidentialId = (await provider.createConfidential("web")).appId;
  await provider.createApplication("api", {}, [RESOURCE]);
  await provider.createApplication("orders", { tokenVersion: 2 }, ["api://orders"]);
  alice = await provider.createUser("alice");
});
afterEach(() => provider.stop());

const credentials = (clientId: string) => ({
  client_id: clientId,
  ...(clientId === confidentialId ? { client_secret: "secret of web" } : {}),
});

async function signIn(clientId: string, version: 1 | 2 = 1): Promise<string> {
  const target = version === 1 ? { resource: RESOURCE, scope: "openid" } : { scope: "openid offline_access" };
  const fields = { grant_type: "password", username: alice, password: PASSWORD, ...credentials(clientId), ...target };
  return String((await provider.token(version, fields)).body["refresh_token"]);
}

function refresh(token: string, clientId: string, more: Record<string, string> = {}, version: 1 | 2 = 1) {
  return provider.token(version, {
    grant_type: "refresh_token",
    refresh_token: token,
    ...credentials(clientId),
    ...more,
  });
}

test("gives all three tokens anew, for the same resource or another one", async () => {
  const first = await refresh(await signIn(publicId), publicId);
  expect(first.status).toBe(200);
  expect(claimsOf(first.body["access_token"])).toMatchObject({ aud: RESOURCE, upn: alice, amr: ["pwd"] });
  expect(claimsOf(first.body["id_token"])).toMatchObject({ aud: publicId, upn: alice });
  const other = await refresh(String(first.body["refresh_token"]), publicId, { resource: "api://orders" });
  expect(claimsOf(other.body["access_token"])).toMatchObject({ ver: "2.0", preferred_username: alice });
  expect(other.body["resource"]).toBe("api://orders");
});

test("a mistake in the request costs a rotating client nothing, however late it asks again", async () => {
  const token = await signIn(publicId);
  const mistaken = await refresh(token, publicId, { resource: "api://nowhere" });
  expect(mistaken.body["error_codes"]).toEqual([500011]);
  provider.clock.advance(31_000);
  expect((await refresh(token, publicId)).status).toBe(200);
});

test("v2: without a scope as before, with one as asked, if the user agreed to it", async () => {
  const untold = await refresh(await signIn(publicId, 2), publicId, { scope: "api://orders/user_impersonation" }, 2);
  expect(untold.body).toMatchObject({ suberror: "consent_required", error_codes: [65001] });
  const scope = "api://orders/user_impersonation";
  const grant = { grant_type: "password", username: alice, password: PASSWORD, ...credentials(publicId), scope };
  await provider.token(2, grant);
  const token = await signIn(publicId, 2);
  const before = await refresh(token, publicId, {}, 2);
  expect(before.body).toMatchObject({ scope: "openid offline_access", id_token: expect.any(String) as string });
  const asked = await refresh(
    String(before.body["refresh_token"]),
    publicId,
    { scope: "api://orders/user_impersonation" },
    2,
  );
  expect(claimsOf(asked.body["access_token"])).toMatchObject({ scp: "user_impersonation", ver: "2.0" });
  expect(asked.body["refresh_token"]).toEqual(expect.any(String));
});

test("v2: OpenID scopes that are asked for later join what there was, in the answer too", async () => {
  const scope = "api://orders/user_impersonation offline_access";
  const grant = { grant_type: "password", username: alice, password: PASSWORD, ...credentials(confidentialId), scope };
  const first = await provider.token(2, grant);
  expect(Object.keys(first.body)).not.toContain("id_token");
  const more = { scope: "openid profile" };
  const asked = await refresh(String(first.body["refresh_token"]), confidentialId, more, 2);
  expect(asked.body).toMatchObject({ scope: `${scope} openid profile`, id_token: expect.any(String) as string });
  const later = await refresh(String(asked.body["refresh_token"]), confidentialId, {}, 2);
  expect(later.body).toMatchObject({ scope: `${scope} openid profile`, id_token: expect.any(String) as string });
});

test("works at common and at the user's tenant, nowhere else", async () => {
  const token = await signIn(publicId);
  const fields = { grant_type: "refresh_token", refresh_token: token, client_id: publicId };
  const common = await provider.token(1, fields, { tenant: "common" });
  expect(common.status).toBe(200);
  await provider.services.tenants.create({ displayName: "Fabrikam", domain: "fabrikam.example" });
  const elsewhere = await provider.token(1, fields, { tenant: "fabrikam.example" });
  expect(elsewhere.status).toBe(400);
  const unknown = await provider.token(1, { ...fields, refresh_token: "unknown" }, { tenant: "common" });
  expect(unknown.body["error_codes"]).toEqual([70000]);
});

describe("of a public client", () => {
  test("a used token works for another 30 seconds, then its use revokes all of the sign-in", async () => {
    const first = await signIn(publicId);
    const second = String((await refresh(first, publicId)).body["refresh_token"]);
    provider.clock.advance(29_000);
    expect((await refresh(first, publicId)).status).toBe(200);
    provider.clock.advance(2_000);
    const reused = await refresh(first, publicId);
    expect([reused.status, reused.body["error"], reused.body["error_codes"]]).toEqual([400, "invalid_grant", [50173]]);
    expect((await refresh(second, publicId)).body["error_codes"]).toEqual([50173]);
    expect((await refresh(await signIn(publicId), publicId)).status).toBe(200);
  });
});

describe("of a confidential client", () => {
  test("the old token stays good until it expires", async () => {
    const first = await signIn(confidentialId);
    const second = String((await refresh(first, confidentialId)).body["refresh_token"]);
    expect(second).not.toBe(first);
    provider.clock.advance(3_000_000);
    expect((await refresh(first, confidentialId)).status).toBe(200);
  });
});

describe("refused", () => {
  test("another client's, an unknown one, none", async () => {
    const token = await signIn(publicId);
    for (const [clientId, presented] of [
      [confidentialId, token],
      [publicId, "unknown"],
      [publicId, `${token}x`],
    ] as const) {
      const { body } = await refresh(presented, clientId);
      expect([body["error"], body["error_codes"]]).toEqual(["invalid_grant", [70000]]);
    }
    expect((await refresh("", publicId)).body["error_codes"]).toEqual([900144]);
  });

  test("expired by inactivity; sweeping forgets it", async () => {
    const token = await signIn(publicId);
    provider.clock.advance(90 * 24 * 3_600_000);
    expect((await refresh(token, publicId)).body["error_codes"]).toEqual([700082]);
    provider.clock.advance(1000);
    await provider.provider.sweep();
    expect((await refresh(token, publicId)).body["error_codes"]).toEqual([70000]);
  });

  test("a disabled and a deleted user's", async () => {
    const token = await signIn(publicId);
    await provider.manage("PATCH", `/users/${alice}`, { accountEnabled: false });
    expect((await refresh(token, publicId)).body["error_codes"]).toEqual([50057]);
    await provider.manage("DELETE", `/users/${alice}`);
    expect((await refresh(token, publicId)).body["error"]).toBe("invalid_grant");
  });

  test("a mistake in the request doesn't use the token up", async () => {
    const token = await signIn(publicId, 2);
    const wrong = await refresh(token, publicId, { scope: "api://orders/.default User.Read" }, 2);
    expect(wrong.body["error"]).toBe("invalid_scope");
    provider.clock.advance(60_000);
    expect((await refresh(token, publicId, {}, 2)).status).toBe(200);
  });
});

// Read in the embedded file.
test.skipIf(postgresServer !== undefined)("the database holds no refresh token", async () => {
  const token = await signIn(publicId);
  const { readFileSync } = await import("node:fs");
  const text = readFileSync(`${provider.folder}/identity.db-wal`).toString("latin1");
  expect(text).not.toContain(token);
  expect(text).not.toContain(PASSWORD);
  expect(text).toContain("$argon2id$");
});
