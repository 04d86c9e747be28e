import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@trefoil/base";
import { expect, test } from "vitest";
import { openIdentityProvider } from "../identity-provider.ts";
import { TestProvider } from "../testing/test-provider.ts";
import { type SecretBox } from "./secret-box.ts";

/** Marks with the number of its key; opens what any of its keys sealed. */
class NumberedBox implements SecretBox {
  key = 1;
  seal(plaintext: Uint8Array, context: string): Uint8Array {
    return Buffer.concat([Buffer.from(`${this.key}:${context}:`), plaintext]);
  }
  open(sealed: Uint8Array, context: string): Uint8Array {
    const mark = `:${context}:`;
    expect(
      Buffer.from(sealed)
        .subarray(1, mark.length + 1)
        .toString(),
    ).toBe(mark);
    return Buffer.from(sealed).subarray(mark.length + 1);
  }
}

test("everything is sealed anew with the new key, and still opens", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trefoil-identity-"));
  const secrets = new NumberedBox();
  const options = {
    database: { file: join(folder, "identity.db") },
    secrets,
    sealingKeyFile: {
      addKey: () => {
        secrets.key += 1;
        return Promise.resolve();
      },
      dropOldKeys: async () => {
        expect(await marks()).toEqual(["2:", "2:", "2:"]);
        dropped += 1;
      },
    },
    clock: new ManualClock(Date.parse("2026-11-20T12:00:00Z")),
    settings: {
      publicUrl: "https://localhost:8443",
      origins: new Set<string>(),
      codePrefix: "STS",
      accessTokenSeconds: 3600,
      refreshTokenSeconds: 86_400,
      auditRetentionDays: 30,
    },
    passwordCost: { memoryKib: 8, iterations: 1 },
  };
  const before = await openIdentityProvider(options);
  const marks = async (): Promise<readonly string[]> => {
    const sealed = [
      ...(await before.database.selectFrom("tenants").select("subject_key_sealed as sealed").execute()),
      ...(await before.database.selectFrom("signing_keys").select("private_key_sealed as sealed").execute()),
    ];
    return sealed.map((row) => Buffer.from(row.sealed).subarray(0, 2).toString());
  };
  let dropped = 0;
  const tenant = await before.services.tenants.create({ displayName: "Contoso", domain: "contoso.example" });
  await before.services.keys.add(options.clock.now() + 1_000);
  expect(await before.services.sealingKeys.rotate()).toBe(3);
  expect(await marks()).toEqual(["2:", "2:", "2:"]);
  // As if the process had ended between a key and its first use: the older one seals again.
  secrets.key = 1;
  const late = await before.services.tenants.create({ displayName: "Fabrikam", domain: "fabrikam.example" });
  await before.database.deleteFrom("tenants").where("id", "=", tenant.id).execute();
  secrets.key = 2;
  expect(await marks()).toContain("1:");
  await before.services.sealingKeys.forgetOld();
  expect(dropped).toBe(1);
  await before.close();
  const after = await openIdentityProvider(options);
  expect((await after.services.tenants.find(late.id))?.subjectKeyBytes).toEqual(late.subjectKeyBytes);
  expect(after.services.keys.all().map(({ kid }) => kid)).toEqual(before.services.keys.all().map(({ kid }) => kid));
  await after.close();
  rmSync(folder, { recursive: true });
}, 60_000);

test("a server that doesn't keep the key says so", async () => {
  const provider = await TestProvider.start();
  for (const action of ["rotate", "forgetOld"]) {
    expect((await provider.manage("POST", `/sealingKey/${action}`)).status).toBe(400);
  }
  await provider.stop();
});
