import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@trefoil/base";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type IdentityProvider, openIdentityProvider } from "../identity-provider.ts";
import { secretOf } from "../applications/client-secret.ts";
import { createTestDatabase, postgresServer, type TestDatabase } from "../testing/test-database.ts";
import { testSecretBox } from "../testing/test-provider.ts";

/** Keys take their time on a busy machine. */
const KEY_TIMEOUT_MS = 60_000;

let folder: string;
let clock: ManualClock;
let database: TestDatabase;
let here: IdentityProvider;
let there: IdentityProvider;

const open = (): Promise<IdentityProvider> =>
  openIdentityProvider({
    database: {
      url: postgresServer === undefined ? `file://${join(folder, "shared.db")}` : (database.location.url ?? ""),
    },
    secrets: testSecretBox,
    clock,
    settings: {
      publicUrl: "https://localhost:8443",
      origins: new Set(),
      codePrefix: "STS",
      accessTokenSeconds: 3600,
      refreshTokenSeconds: 86_400,
      auditRetentionDays: 30,
    },
    passwordCost: { memoryKib: 8, iterations: 1 },
    signingKeyMaxAgeMs: 90 * 24 * 3_600_000,
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trefoil-identity-"));
  clock = new ManualClock(Date.parse("2026-11-20T12:00:00Z"));
  database = await createTestDatabase(folder, clock);
  here = await open();
  there = await open();
}, KEY_TIMEOUT_MS);
afterEach(async () => {
  await here.close();
  await there.close();
  await database.remove();
  rmSync(folder, { recursive: true });
});

test("what one process changes, the other sees a tenth of a second later at most", async () => {
  const tenant = await here.services.tenants.create({ displayName: "Contoso", domain: "contoso.example" });
  const made = await here.services.applications.create(tenant.id, { displayName: "web" });
  const seen = () => there.services.applications.findByAppId(made.appId);
  expect((await seen())?.displayName).toBe("web");

  await here.services.applications.update(made, { displayName: "shop", document: { isEnabled: false } });
  clock.advance(100);
  expect(await seen()).toMatchObject({ displayName: "shop", document: { isEnabled: false } });

  const terms = { displayName: "", startsAtMs: 0, endsAtMs: clock.now() + 1_000 };
  await here.services.applications.addSecret(made.id, secretOf("a long enough secret"), terms);
  clock.advance(100);
  expect((await seen())?.secrets).toHaveLength(1);

  await there.services.tenants.update(tenant, { displayName: "Contoso Ltd" });
  clock.advance(100);
  expect((await here.services.tenants.find("contoso.example"))?.displayName).toBe("Contoso Ltd");

  await here.services.applications.delete(made.id);
  clock.advance(100);
  expect(await seen()).toBeUndefined();
});

test("a code is good in one of the processes that have it at once", async () => {
  const tenant = await here.services.tenants.create({ displayName: "Contoso", domain: "contoso.example" });
  const user = await here.services.users.create(tenant, {
    userPrincipalName: "alice@contoso.example",
    displayName: "Alice",
  });
  const redirectUri = "https://web.example/back";
  const code = await here.services.authorizationCodes.create({
    tenantId: tenant.id,
    appId: "web",
    userId: user.id,
    redirectUri,
    isRedirectUriRequired: true,
    resource: undefined,
    scope: "openid",
    nonce: undefined,
    codeChallenge: undefined,
    methods: ["pwd"],
    authenticatedAtMs: clock.now(),
    isAuthTimeAsked: false,
    sessionId: undefined,
    claims: undefined,
    ipAddress: undefined,
  });
  const outcomes = await Promise.allSettled(
    [here, there].map(async ({ services: { authorizationCodes } }) => {
      const presented = { tenantId: tenant.id, appId: "web", redirectUri, codeVerifier: undefined };
      await authorizationCodes.use(code, await authorizationCodes.judge(code, presented));
    }),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { outermost: 54005 } });
});

test.skipIf(postgresServer === undefined)("both may make tenants at the same moment", async () => {
  const made = await Promise.all(
    [here, there, here, there].map(({ services }, index) =>
      services.tenants.create({ displayName: `T${index}`, domain: `t${index}.example` }),
    ),
  );
  const listed = await here.services.tenants.list();
  expect(listed.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  await expect(there.services.tenants.create({ displayName: "T", domain: "t0.example" })).rejects.toMatchObject({
    code: "Request_Conflict",
  });
});

test("groups, roles, policies and trust in issuers are seen as well", async () => {
  const tenant = await here.services.tenants.create({ displayName: "Contoso", domain: "contoso.example" });
  const api = await here.services.applications.create(tenant.id, { displayName: "api" });
  expect(await there.services.tokenLifetimes.of(tenant.id, api)).toEqual({});
  expect(await there.services.federatedCredentials.of(api.id)).toEqual([]);
  const definition = '{"TokenLifetimePolicy":{"AccessTokenLifetime":"02:00:00"}}';
  await here.services.tokenLifetimes.save(tenant.id, { displayName: "p", definition, isDefault: true });
  const trust = { name: "n", issuer: "https://i.example", subject: "s", audiences: ["a"], description: "" };
  await here.services.federatedCredentials.add(api.id, trust);
  clock.advance(100);
  expect(await there.services.tokenLifetimes.of(tenant.id, api)).toEqual({ accessTokenSeconds: 7200 });
  expect(await there.services.federatedCredentials.of(api.id)).toMatchObject([trust]);
});

test(
  "a new signing key is used and known by both",
  async () => {
    const tenant = await here.services.tenants.create({ displayName: "Contoso", domain: "contoso.example" });
    const kid = await here.services.keys.add(clock.now());
    clock.advance(100);
    await there.services.tenants.find(tenant.id);
    expect(there.services.keys.current().kid).toBe(kid);
    expect(there.services.keys.findPublicKey(kid)).toBeDefined();
  },
  KEY_TIMEOUT_MS,
);

test(
  "the signing key is renewed by age, published before it signs, once for all processes",
  async () => {
    const { keys, audit } = here.services;
    const first = keys.current().kid;
    await here.sweep();
    expect(keys.all()).toHaveLength(1);
    clock.advance(89 * 24 * 3_600_000);
    await here.sweep();
    await there.sweep();
    expect(keys.all()).toHaveLength(2);
    expect(keys.published().map((key) => key.kid)).toHaveLength(2);
    expect(keys.current().kid).toBe(first);
    clock.advance(2 * 24 * 3_600_000);
    const second = keys.current().kid;
    expect(second).not.toBe(first);
    expect(keys.findPublicKey(first)).toBeDefined();
    await here.sweep();
    expect(keys.all()).toHaveLength(2);
    clock.advance(3 * 24 * 3_600_000);
    expect(keys.published().map((key) => key.kid)).toEqual([second]);
    const activities = [];
    for await (const record of audit.read({ category: "credential" })) {
      activities.push([record.activity, record.target?.id]);
    }
    expect(activities).toEqual([["Rotate signing key", second]]);
  },
  KEY_TIMEOUT_MS,
);

test(
  "a database of one's own isn't asked",
  async () => {
    const tenant = await here.services.tenants.create({ displayName: "Contoso", domain: "contoso.example" });
    const { changes } = await here.database.selectFrom("shared_changes").select("changes").executeTakeFirstOrThrow();
    expect(changes).toBeGreaterThan(0);
    const alone = await openIdentityProvider({
      database: { file: join(folder, "alone.db") },
      secrets: testSecretBox,
      clock,
      settings: { ...here.services.settings },
      passwordCost: { memoryKib: 8, iterations: 1 },
    });
    await alone.services.tenants.create({ displayName: "Contoso", domain: "contoso.example", id: tenant.id });
    const own = await alone.database.selectFrom("shared_changes").select("changes").executeTakeFirstOrThrow();
    expect(own.changes).toBe(0);
    await alone.close();
  },
  KEY_TIMEOUT_MS,
);
