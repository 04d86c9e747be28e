import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ManualClock } from "@trefoil/base";
import { type DatabaseLocation, openDatabase } from "@trefoil/database";
import { type IdentityProvider, openIdentityProvider } from "@trefoil/identity";
import { KeptSecretBox, readInitialCredentials } from "@trefoil/installation";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFirstTenant } from "./first-start.ts";

/** A server on which tests may make databases; without one there are no processes that share any. */
const server = process.env["TREFOIL_TEST_POSTGRES"];
const clock = new ManualClock(Date.parse("2026-11-20T12:00:00Z"));
/** Keys take their time on a busy machine. */
const KEY_TIMEOUT_MS = 60_000;

let folder: string;
let secrets: KeptSecretBox;
const open: IdentityProvider[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-first-start-"));
  secrets = await KeptSecretBox.open(folder);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
  await rm(folder, { recursive: true });
});

async function openProvider(database: DatabaseLocation): Promise<IdentityProvider> {
  const provider = await openIdentityProvider({
    database,
    secrets,
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
  });
  open.push(provider);
  return provider;
}

/** Everybody there is, as the administrator's credentials say. */
async function usersOf({ services }: IdentityProvider): Promise<readonly unknown[]> {
  const tenants = await services.tenants.list();
  const users = await Promise.all(tenants.map(({ id }) => services.users.list(id)));
  return users.flat().map((user) => [user.tenantId, user.userPrincipalName]);
}

test(
  "makes one administrator and tells his password, once",
  async () => {
    const provider = await openProvider({ file: path.join(folder, "identity.db") });
    await makeFirstTenant(provider, folder);
    const { identity: told } = await readInitialCredentials(folder);
    expect(await usersOf(provider)).toEqual([[told?.tenantId, told?.administrator.username]]);
    await makeFirstTenant(provider, folder);
    expect(await readInitialCredentials(folder)).toEqual({ identity: told });
    expect(await usersOf(provider)).toHaveLength(1);
  },
  KEY_TIMEOUT_MS,
);

test(
  "goes on with a tenant in which a process that ended left nobody",
  async () => {
    const provider = await openProvider({ file: path.join(folder, "identity.db") });
    const begun = await provider.services.tenants.create({ displayName: "Contoso", domain: "contoso.example" });
    await makeFirstTenant(provider, folder);
    expect(await usersOf(provider)).toEqual([[begun.id, "administrator@contoso.example"]]);
    expect(await readInitialCredentials(folder)).toMatchObject({ identity: { tenantId: begun.id } });
  },
  KEY_TIMEOUT_MS,
);

test.skipIf(server === undefined)(
  "of processes that start on one empty database together, one makes them and tells",
  async () => {
    const name = `trefoil_test_${randomBytes(8).toString("hex")}`;
    const administrator = await openDatabase<object>({ url: server ?? "", migrations: [], clock });
    await sql.raw(`create database ${name}`).execute(administrator);
    const url = new URL(`/${name}`, server).href;
    const folders = await Promise.all(["a", "b", "c"].map((each) => mkdtemp(path.join(folder, each))));

    const providers = await Promise.all(folders.map(() => openProvider({ url })));
    await Promise.all(providers.map((provider, index) => makeFirstTenant(provider, folders[index] ?? "")));

    const told = (await Promise.all(folders.map(readInitialCredentials))).flatMap((each) => each.identity ?? []);
    expect(told).toHaveLength(1);
    for (const provider of providers) {
      expect(await usersOf(provider)).toEqual([[told[0]?.tenantId, told[0]?.administrator.username]]);
    }
    const keys = providers.map(({ services }) => services.keys.all().map(({ kid }) => kid));
    expect(new Set(keys.flat()).size).toBe(1);

    await Promise.all(open.splice(0).map((provider) => provider.close()));
    await sql.raw(`drop database ${name} with (force)`).execute(administrator);
    await administrator.destroy();
  },
  KEY_TIMEOUT_MS,
);
