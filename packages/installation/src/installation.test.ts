import { StartError } from "@trefoil/base";
import fc from "fast-check";
import { execFileSync, fork } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataDirectory } from "./data-directory.ts";
import { findDirectoryHolder, lockServerDirectory } from "./locks/directory-lock.ts";
import { inCriticalSection } from "./locks/critical-section.ts";
import { createPrivateFile } from "./private-file.ts";
import { cliTokenFile, ensureCliToken } from "./secrets/cli-token.ts";
import {
  addInitialCredentials,
  forgetInitialSecrets,
  initialCredentialsFile,
  readInitialCredentials,
} from "./secrets/initial-credentials.ts";
import {
  addSecretKey,
  dropOldSecretKeys,
  openSecretBox,
  SealedDataError,
  secretKeyFile,
} from "./secrets/secret-box.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-installation-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe("data folder", () => {
  test("is made for the owner only", async () => {
    const data = await openDataDirectory(path.join(folder, "a", "data"));
    expect(modeOf(data)).toBe(0o700);
  });

  test("is taken back from others, with a warning", async () => {
    chmodSync(folder, 0o755);
    const warnings: string[] = [];
    await openDataDirectory(folder, (message) => warnings.push(message));
    expect(modeOf(folder)).toBe(0o700);
    expect(warnings.join()).toContain("755");
  });

  test("a file in its place is a start error", async () => {
    writeFileSync(path.join(folder, "file"), "");
    await expect(openDataDirectory(path.join(folder, "file"))).rejects.toBeInstanceOf(StartError);
  });
});

describe("locks", () => {
  test("a second holder is refused with the first one's process id, and let in afterwards", async () => {
    const lock = await lockServerDirectory(folder, "graph");
    await expect(lockServerDirectory(folder, "graph")).rejects.toThrow(`process ${process.pid}`);
    await expect(lockServerDirectory(folder, "graph")).rejects.toMatchObject({ code: "lock" });
    const other = await lockServerDirectory(folder, "objects");
    await lock.release();
    const again = await lockServerDirectory(folder, "graph");
    await Promise.all([again.release(), other.release()]);
  });

  test("a look does not disturb a start", async () => {
    const lock = await lockServerDirectory(folder, "graph");
    expect(await findDirectoryHolder(path.join(folder, "graph"))).toEqual({ pid: process.pid });
    await lock.release();
    expect(await findDirectoryHolder(path.join(folder, "graph"))).toBeUndefined();
    expect(await findDirectoryHolder(path.join(folder, "nothing"))).toBeUndefined();
  });

  test("kill -9 of the holder frees the lock", async () => {
    const file = path.join(folder, "graph", "lock.db");
    await (await lockServerDirectory(folder, "graph")).release();
    const script = path.join(folder, "hold.cjs");
    const library = JSON.stringify(createRequire(import.meta.url).resolve("libsql"));
    writeFileSync(
      script,
      `const Database = require(${library}); const d = new Database(${JSON.stringify(file)});
       d.exec("BEGIN EXCLUSIVE"); process.send("held"); setInterval(() => d, 1000);`,
    );
    const holder = fork(script);
    await new Promise((resolve) => holder.once("message", resolve));
    await expect(lockServerDirectory(folder, "graph")).rejects.toThrow("in use");
    const ended = new Promise((resolve) => holder.once("exit", resolve));
    holder.kill("SIGKILL");
    await ended;
    await (await lockServerDirectory(folder, "graph")).release();
  });

  test("a critical section lets one in at a time", async () => {
    let inside = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 6 }, () => inCriticalSection(folder, work)));
  });
});

test("of several makers of one private file exactly one succeeds", async () => {
  const file = path.join(folder, "one");
  const made = await Promise.all(["a", "b", "c"].map((text) => createPrivateFile(file, text)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(readFileSync(file, "utf8")).toBe(["a", "b", "c"][made.indexOf(true)]);
  expect(modeOf(file)).toBe(0o600);
});

test("the command line's token is made once and compared whole", async () => {
  const [first] = await Promise.all([ensureCliToken(folder), ensureCliToken(folder)]);
  const value = readFileSync(cliTokenFile(folder), "utf8").trim();
  expect(value).toMatch(/^[\w-]{43}$/);
  expect(modeOf(cliTokenFile(folder))).toBe(0o600);
  expect(first.matches(value)).toBe(true);
  expect((await ensureCliToken(folder)).matches(value)).toBe(true);
  expect(first.matches(value.slice(0, -1))).toBe(false);
  expect(first.matches("")).toBe(false);
});

describe("secret box", () => {
  test("opens what it sealed, and nothing else", async () => {
    const box = await openSecretBox(folder);
    expect(modeOf(secretKeyFile(folder))).toBe(0o600);
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.nat(), (secret, context, position) => {
        const sealed = box.seal(secret, context);
        expect(new Uint8Array(box.open(sealed, context))).toEqual(secret);
        expect(() => box.open(sealed, `${context}x`)).toThrow(SealedDataError);
        const damaged = Uint8Array.from(sealed);
        damaged[position % damaged.length]! ^= 1;
        expect(() => box.open(damaged, context)).toThrow(SealedDataError);
        expect(() => box.open(sealed.subarray(0, position % sealed.length), context)).toThrow(SealedDataError);
      }),
    );
  });

  test("an older key still opens after a rotation", async () => {
    const before = await openSecretBox(folder);
    const sealed = before.seal(Buffer.from("secret"), "c");
    const after = await addSecretKey(folder);
    expect(after.open(sealed, "c").toString()).toBe("secret");
    expect(after.isOutdated(sealed)).toBe(true);
    expect(after.isOutdated(after.seal(Buffer.from("secret"), "c"))).toBe(false);
    await dropOldSecretKeys(folder);
    const alone = await openSecretBox(folder);
    expect(() => alone.open(sealed, "c")).toThrow(SealedDataError);
    expect(alone.open(after.seal(Buffer.from("secret"), "c"), "c").toString()).toBe("secret");
    expect(() => before.open(after.seal(Buffer.from("secret"), "c"), "c")).toThrow(/not in the key file/);
  });

  test("a damaged key file is refused, never replaced", async () => {
    writeFileSync(secretKeyFile(folder), "nonsense\n");
    await expect(openSecretBox(folder)).rejects.toBeInstanceOf(SealedDataError);
    expect(readFileSync(secretKeyFile(folder), "utf8")).toBe("nonsense\n");
  });
});

describe("initial credentials", () => {
  const graph = { endpoint: "http://localhost:7474", username: "neo4j", password: "p", passwordChangeRequired: true };
  const objects = { endpoint: "http://localhost:10000/a", account: "a", keys: ["k1", "k2"], connectionString: "c" };

  test("sections are added once, in order, and never rewritten", async () => {
    const added = await Promise.all([
      addInitialCredentials(folder, "graph", graph),
      addInitialCredentials(folder, "objects", objects),
      addInitialCredentials(folder, "certificateAuthority", "/x/ca.pem"),
    ]);
    expect(added).toEqual([true, true, true]);
    expect(await addInitialCredentials(folder, "graph", { ...graph, password: "other" })).toBe(false);
    const text = readFileSync(initialCredentialsFile(folder), "utf8");
    expect(Object.keys(JSON.parse(text) as object)).toEqual(["objects", "graph", "certificateAuthority"]);
    expect((await readInitialCredentials(folder)).graph).toEqual(graph);
    expect(modeOf(initialCredentialsFile(folder))).toBe(0o600);
  });

  test("forgetting takes the secrets and keeps the rest; a later start does not bring them back", async () => {
    await addInitialCredentials(folder, "graph", graph);
    await addInitialCredentials(folder, "objects", objects);
    expect(await forgetInitialSecrets(folder)).toBe(true);
    expect(await forgetInitialSecrets(folder)).toBe(false);
    await addInitialCredentials(folder, "objects", objects);
    expect(await readInitialCredentials(folder)).toEqual({
      objects: { endpoint: objects.endpoint, account: "a" },
      graph: { endpoint: graph.endpoint, username: "neo4j", passwordChangeRequired: true },
    });
  });

  test("a damaged file is refused, never replaced", async () => {
    writeFileSync(initialCredentialsFile(folder), "{");
    await expect(addInitialCredentials(folder, "graph", graph)).rejects.toThrow("is not JSON");
    expect(readFileSync(initialCredentialsFile(folder), "utf8")).toBe("{");
  });
});

test("nothing temporary is left behind", async () => {
  await ensureCliToken(folder);
  await openSecretBox(folder);
  expect(existsSync(folder)).toBe(true);
  expect(execFileSync("ls", ["-A", folder], { encoding: "utf8" })).not.toContain(".tmp");
});
