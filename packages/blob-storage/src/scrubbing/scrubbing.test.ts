import { randomBytes } from "node:crypto";
import path from "node:path";
import { EmbeddedDatabase } from "@trefoil/database";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";
import { type CheckReport, checkStore } from "./check-store.ts";

let service: TestService;
let fileSystem: UnsyncedFileSystem;

beforeEach(async () => {
  fileSystem = new UnsyncedFileSystem();
  service = await startTestService({ fileSystem });
  await service.client.send("PUT", "/box?restype=container");
});
afterEach(() => service.close());

const blockBlob = { "~blob-type": "BlockBlob" };

async function put(name: string, sizeBytes = 100_000): Promise<string> {
  const before = new Set(fileSystem.fileNames);
  await service.client.send("PUT", `/box/${name}`, { headers: blockBlob, body: randomBytes(sizeBytes) });
  return fileSystem.fileNames.find((file) => !before.has(file))!;
}

function check(marks = true): Promise<CheckReport> {
  const { metadata, extents } = service.parts;
  return checkStore({ metadata, extents, marks, onProgress: () => undefined, signal: new AbortController().signal });
}

describe("the scrubber", () => {
  test("marks what is damaged, once per interval, and takes the mark back when it is repaired", async () => {
    await put("good");
    const file = await put("bad");
    fileSystem.damage(file, 70_000);
    const { scrubber } = service.parts;
    await scrubber.scrub();
    expect(scrubber.totals).toMatchObject({ extents: 2, damaged: 1 });
    expect(scrubber.countDamaged()).toBe(1);
    await scrubber.scrub();
    expect(scrubber.totals.extents).toBe(2);
    service.clock.advance(3_600_001);
    fileSystem.damage(file, 70_000);
    await scrubber.scrub();
    expect(scrubber.totals).toMatchObject({ extents: 4, damaged: 1 });
    expect(scrubber.countDamaged()).toBe(0);
  });

  test("finds a file that is gone and one that was cut off", async () => {
    const cut = await put("cut");
    await fileSystem.remove(await put("gone"));
    fileSystem.truncate(cut, 50_000);
    await service.parts.scrubber.scrub();
    expect(service.parts.scrubber.countDamaged()).toBe(2);
  });
});

describe("a check", () => {
  test("names the blobs that suffer, and marks only when it may", async () => {
    fileSystem.damage(await put("bad"), 5);
    await put("good");
    const report = await check(false);
    expect(report).toMatchObject({ extents: 2, contents: 2, problems: 1 });
    expect(report.findings).toMatchObject([{ kind: "damaged extent", blobs: ["devstoreaccount1/box/bad"] }]);
    expect(service.parts.scrubber.countDamaged()).toBe(0);
    await check();
    expect(service.parts.scrubber.countDamaged()).toBe(1);
  });

  test("finds every count right after all kinds of changes", async () => {
    const { client } = service;
    await put("a");
    await client.send("PUT", "/box/a?comp=snapshot");
    await client.send("PUT", "/box/copy", { headers: { "~copy-source": `${service.url}/devstoreaccount1/box/a` } });
    await put("a");
    for (const id of ["MDE=", "MDI=", "MDM="]) {
      await client.send("PUT", `/box/blocks?comp=block&blockid=${encodeURIComponent(id)}`, {
        body: randomBytes(40_000),
      });
    }
    expect(await check()).toMatchObject({ problems: 0 });
    const list = "<BlockList><Latest>MDE=</Latest><Latest>MDI=</Latest><Latest>MDE=</Latest></BlockList>";
    await client.send("PUT", "/box/blocks?comp=blocklist", { body: list });
    await client.send("PUT", "/box/log", { headers: { "~blob-type": "AppendBlob" } });
    await client.send("PUT", "/box/log?comp=appendblock", { body: randomBytes(30_000) });
    await client.send("PUT", "/box/pages", { headers: { "~blob-type": "PageBlob", "~blob-content-length": "102400" } });
    await client.send("PUT", "/box/pages?comp=page", {
      headers: { "~page-write": "update", range: "bytes=0-51199" },
      body: randomBytes(51_200),
    });
    await client.send("PUT", "/box/pages?comp=page", { headers: { "~page-write": "clear", range: "bytes=512-1023" } });
    await client.send("DELETE", "/box/copy");
    expect(await check()).toMatchObject({ problems: 0, findings: [] });
    await service.parts.collector.collect();
    const report = await check();
    expect(report).toMatchObject({ problems: 0, findings: [] });
    expect(report.extents).toBe(fileSystem.fileNames.length);
  });

  test("finds counts that are wrong and records that are missing", async () => {
    const extentId = (await put("blob")).split("/").slice(-2).join("/");
    const database = new EmbeddedDatabase(path.join(service.directory, "objects.db"));
    database.prepare("UPDATE extents SET uses = 3").run([]);
    database.prepare("UPDATE contents SET uses = 2").run([]);
    const miscounted = await check();
    expect(miscounted.findings.map(({ kind }) => kind)).toEqual(["wrong count", "wrong count"]);
    database.prepare("DELETE FROM extents").run([]);
    database.prepare("DELETE FROM contents").run([]);
    database.close();
    expect((await check()).findings).toMatchObject([
      { kind: "missing extent", subject: extentId },
      { kind: "missing content", blobs: ["devstoreaccount1/box/blob"] },
    ]);
  });
});

describe("bytes that rows hold", () => {
  const damage = (sql: string): void => {
    const database = new EmbeddedDatabase(path.join(service.directory, "objects.db"));
    database.prepare(sql).run([]);
    database.close();
  };

  beforeEach(async () => {
    const { client } = service;
    await put("good", 3000);
    await put("bad", 3000);
    await client.send("PUT", "/box/log", { headers: { "~blob-type": "AppendBlob" } });
    await client.send("PUT", "/box/log?comp=appendblock", { body: Buffer.from("a line of a log") });
    // Whatever the first byte was, it is another one now.
    const other = "CASE substr(inline_content, 1, 1) WHEN x'07' THEN x'08' ELSE x'07' END";
    const damaged = `CAST(${other} || substr(inline_content, 2) AS BLOB)`;
    damage(`UPDATE blobs SET inline_content = ${damaged} WHERE name = 'bad'`);
    damage(`UPDATE pieces SET inline_content = ${damaged}`);
  });

  test("are found by the scrubber, once per interval", async () => {
    const { scrubber } = service.parts;
    await scrubber.scrub();
    expect(scrubber.totals).toMatchObject({ damaged: 2 });
    await scrubber.scrub();
    expect(scrubber.totals).toMatchObject({ damaged: 2 });
    service.clock.advance(3_600_001);
    await scrubber.scrub();
    expect(scrubber.totals).toMatchObject({ damaged: 4 });
  });

  test("are named by a check", async () => {
    expect((await check()).findings).toMatchObject([
      { kind: "damaged row", blobs: ["devstoreaccount1/box/bad"] },
      { kind: "damaged row", blobs: ["devstoreaccount1/box/log"] },
    ]);
  });

  test("are never sent", async () => {
    const { client } = service;
    expect((await client.send("GET", "/box/good")).status).toBe(200);
    const answer = await client.send("GET", "/box/bad");
    expect([answer.status, answer.text.includes("InternalError")]).toEqual([500, true]);
    await expect(client.send("GET", "/box/log")).rejects.toThrow();
  });
});

test("bytes that an earlier release wrote into rows get their checksum, and count for quotas", async () => {
  const bodies = new Map<string, Buffer>();
  for (let index = 0; index < 250; index += 1) {
    bodies.set(`b${index}`, randomBytes(index));
    await service.client.send("PUT", `/box/b${index}`, { headers: blockBlob, body: bodies.get(`b${index}`)! });
  }
  const { directory } = service;
  await service.stop();
  const database = new EmbeddedDatabase(path.join(directory, "objects.db"));
  database.prepare("UPDATE blobs SET inline_content = substr(inline_content, 1, length(inline_content) - 4)").run([]);
  const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all([]);
  for (const { name } of triggers as readonly { readonly name: string }[]) {
    database.prepare(`DROP TRIGGER ${name}`).run([]);
  }
  database.prepare("DROP TABLE account_quotas").run([]);
  database.prepare("DROP INDEX immutable_blobs").run([]);
  for (const column of ["pieces DROP COLUMN nonce", "staged_blocks DROP COLUMN nonce"]) {
    database.prepare(`ALTER TABLE ${column}`).run([]);
  }
  database.prepare("DROP TABLE encryption_scopes").run([]);
  for (const column of ["customer_key_sha256", "encryption_scope"]) {
    database.prepare(`ALTER TABLE uncommitted DROP COLUMN ${column}`).run([]);
  }
  for (const column of ["default_encryption_scope", "deny_encryption_scope_override"]) {
    database.prepare(`ALTER TABLE containers DROP COLUMN ${column}`).run([]);
  }
  database.prepare("DELETE FROM schema_migrations WHERE name >= '0007'").run([]);
  database.close();
  service = await startTestService({ fileSystem, directory });
  expect(await check()).toMatchObject({ problems: 0 });
  const account = await service.parts.accounts.setQuota("devstoreaccount1", 1_000_000);
  expect(service.parts.accounts.findUsedBytes(account)).toBe((249 * 250) / 2);
  for (const [name, body] of bodies) {
    expect((await service.client.send("GET", `/box/${name}`)).bytes).toEqual(body);
  }
}, 30_000);
