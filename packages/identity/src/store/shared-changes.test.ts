import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@trefoil/base";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type IdentityProvider, openIdentityProvider } from "../identity-provider.ts";
import { secretOf } from "../applications/client-secret.ts";
import { testSecretBox } from "../testing/test-provider.ts";

/** Keys take their time on a busy machine. */
const KEY_TIMEOUT_MS = 60_000;

let folder: string;
let clock: ManualClock;
let here: IdentityProvider;
let there: IdentityProvider;

const open = (): Promise<IdentityProvider> =>
  openIdentityProvider({
    database: { url: `file://${join(folder, "shared.db")}` },
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
  here = await open();
  there = await open();
}, KEY_TIMEOUT_MS);
afterEach(async () => {
  await here.close();
  await there.close();
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
