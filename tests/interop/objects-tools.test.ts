import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { type Credentials, System } from "../system/system.ts";
import { type Installation, installFromPyPi, installOrSkip } from "./install-for-a-while.ts";
import { OperationMatrix } from "./operation-matrix.ts";
import { findProgram, runProgram } from "../system/run-program.ts";

const rclone = await findProgram(["rclone"], ["version"]);
const python = await findProgram(["python3", "/usr/bin/python3"], ["-c", "import azure.storage.blob"]);

let system: System;
let objects: Credentials["objects"];

beforeAll(async () => {
  system = await System.start({ only: ["objects"] });
  objects = (await system.credentials()).objects;
});
const matrix = new OperationMatrix();
afterAll(async () => {
  console.log(`Tools over the object store, and what they did:\n\n${matrix}`);
  await system?.stop();
});

if (rclone === undefined) {
  matrix.skip("rclone", "the program is not there");
}
if (python === undefined) {
  matrix.skip("the Python SDK", "azure.storage.blob for Python is not there");
}

const file = (name: string): string => path.join(system.workingDirectory, name);
const sha = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const sasUrl = async (permissions: string): Promise<string> =>
  (await system.trefoil<{ url: string }>("account", "sas", objects.account, "--permissions", permissions)).url;

describe("the trefoil command", () => {
  test("blobs go up in one piece and in blocks, and come down as they were", async () => {
    const big = randomBytes(40 * 1024 * 1024 + 1);
    await writeFile(file("big.bin"), big);
    await writeFile(file("page.html"), "<p>page");
    await system.trefoil("blob", "put", file("page.html"), "album/ä/", "--create-container", "--metadata", "a_b=c");
    await system.trefoil("blob", "put", file("big.bin"), "album/big");
    await system.trefoil("blob", "get", "album/big", file("again.bin"));
    expect(sha(await readFile(file("again.bin")))).toBe(sha(big));
    expect((await readdir(system.workingDirectory)).filter((name) => name.includes(".part"))).toEqual([]);
    const listed = await system.trefoil<{ name: string; bytes: number }[]>("blob", "list", "album");
    expect(listed.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["big", big.length],
      ["ä/page.html", 7],
    ]);
    const folders = await system.trefoil<{ name: string }[]>("blob", "list", "album", "--delimiter", "/");
    expect(folders.map(({ name }) => name)).toEqual(["big", "ä/"]);
  });

  test("copies, deletes, refuses to write over", async () => {
    const again = system.trefoil("blob", "put", file("page.html"), "album/big", "--no-overwrite");
    await expect(again).rejects.toThrow(/BlobAlreadyExists/);
    await system.trefoil("blob", "copy", "album/big", "album/copy");
    await system.trefoil("blob", "delete", "album/big");
    await expect(system.trefoil("blob", "get", "album/big", file("none"))).rejects.toThrow(/BlobNotFound/);
    await expect(system.trefoil("blob", "get", "album/copy", file("again.bin"))).rejects.toThrow(/--force/);
    await system.trefoil("blob", "get", "album/copy", file("again.bin"), "--force");
  });

  test("keys are replaced one by one, signatures end with their key", async () => {
    const url = await sasUrl("rl");
    const list = `${url.replace("?", "album?restype=container&comp=list&")}`;
    expect((await fetch(list)).status).toBe(200);
    const second = objects.keys[1];
    const { keys } = await system.trefoil<{ keys: string[] }>("account", "keys", "rotate", objects.account);
    expect(keys[0]).not.toBe(objects.keys[0]);
    expect(keys[1]).toBe(second);
    expect((await fetch(list)).status).toBe(403);
    objects = { ...objects, keys };
  });

  test("roles are kept until they are taken back", async () => {
    const assignment = ["--principal", "0f0f", "--role", "Contributor", "--container", "album"] as const;
    await system.trefoil("account", "role", "add", objects.account, ...assignment);
    const roles = await system.trefoil<object[]>("account", "role", "list", objects.account);
    expect(roles).toMatchObject([{ principal: "0f0f", role: "Contributor", container: "album" }]);
    await system.trefoil("account", "role", "remove", objects.account, ...assignment);
    expect(await system.trefoil("account", "role", "list", objects.account)).toEqual([]);
  });
});

describe("tools of the machine", () => {
  test.skipIf(rclone === undefined)("rclone (needs the program rclone)", async () => {
    await mkdir(file("tree/deep"), { recursive: true });
    await writeFile(file("tree/one.txt"), "one");
    await writeFile(file("tree/deep/two ü.bin"), randomBytes(6_000_000));
    const environment = {
      RCLONE_CONFIG: file("rclone.conf"),
      RCLONE_CONFIG_T_TYPE: "azureblob",
      // It takes the path for an account's only behind an address, not behind a name.
      RCLONE_CONFIG_T_SAS_URL: (await sasUrl("rwdlac")).replace("//localhost:", "//127.0.0.1:"),
    };
    const run = (...words: string[]): Promise<string> => runProgram(rclone ?? "", words, { environment });
    await run("mkdir", "t:tools");
    await run("copy", file("tree"), "t:tools", "--azureblob-chunk-size", "4M", "--azureblob-upload-cutoff", "4M");
    await run("check", file("tree"), "t:tools", "--download");
    await run("copy", "t:tools/deep", "t:tools/copied");
    expect((await run("lsf", "-R", "--files-only", "t:tools")).split("\n").filter(Boolean).toSorted()).toEqual([
      "copied/two ü.bin",
      "deep/two ü.bin",
      "one.txt",
    ]);
    await run("sync", file("tree/deep"), "t:tools/deep");
    await run("purge", "t:tools");
    expect(await run("lsf", "t:")).not.toContain("tools");
    const done = {
      create: true,
      copyUp: true,
      compareHashes: true,
      copyInside: true,
      list: true,
      sync: true,
      purge: true,
    };
    matrix.record("rclone", done, done);
  });

  test.skipIf(python === undefined)("the Python SDK (needs azure.storage.blob for Python)", async () => {
    const program = path.join(import.meta.dirname, "clients/python_blobs.py");
    const found = JSON.parse(await runProgram(python ?? "", [program], { input: objects })) as Record<string, unknown>;
    const expected = {
      same: true,
      range: true,
      metadata: { foo_bar: "1", foo2: "2", a_1: "3", a1: "4" },
      snapshot: "one",
      exists: "409 BlobAlreadyExists",
      leased: "412 LeaseIdMissing",
      sas: "two",
      listed: ["dir/big ü", "small", "small"],
      walked: ["dir/", "small"],
    };
    matrix.record("the Python SDK", found, expected);
    expect(found).toEqual(expected);
  });
});

describe("packages of Python, installed for this", () => {
  const installations: Installation[] = [];
  afterAll(() => Promise.all(installations.map((installation) => installation.remove())));

  async function run(context: TestContext, packages: readonly string[], program: string): Promise<unknown> {
    const skip = (reason: string): void => matrix.skip(packages.join(" and "), reason);
    const installation = await installOrSkip(context, () => installFromPyPi(packages), skip);
    installations.push(installation);
    const words = [path.join(import.meta.dirname, "clients", program)];
    return JSON.parse(await runProgram(path.join(installation.folder, "bin/python"), words, { input: objects }));
  }

  test("the SDK of 2019", { timeout: 150_000 }, async (context) => {
    const found = await run(context, ["azure-storage-blob==2.1.0"], "python_blobs_2.py");
    const metadata = { foo_bar: "1", x: "y" };
    const expected = {
      containerMetadata: { a: "b" },
      same: true,
      metadata,
      properties: [9_000_001, "a/b"],
      listed: [
        ["dir/big ü", true, metadata],
        ["dir/big ü", false, metadata],
      ],
      copy: "success",
      broken: 0,
      blocks: 3,
      access: "blob",
      account: "StorageV2",
      appended: "line",
      pages: [[0, 2047]],
      left: ["copy", "log", "pages"],
      deleted: true,
    };
    matrix.record("azure-storage-blob 2.1", found as Record<string, unknown>, expected);
    expect(found).toEqual(expected);
  });

  test("adlfs and pyarrow", { timeout: 150_000 }, async (context) => {
    const found = (await run(context, ["adlfs==2026.8.0", "pyarrow==26.0.1"], "data_tools.py")) as {
      adlfs: Record<string, unknown>;
      pyarrow: Record<string, unknown>;
    };
    const expected = {
      adlfs: {
        same: true,
        range: true,
        copied: true,
        listed: ["adlfs/copy", "adlfs/deep", "adlfs/deep/data"],
        walked: [
          ["adlfs", ["deep"], ["copy"]],
          ["adlfs/deep", [], ["data"]],
        ],
        metadata: "blue",
        signed: true,
        moved: [false, true],
        appended: "one two",
        left: ["adlfs/log", "adlfs/moved"],
      },
      pyarrow: {
        size: 6_000_003,
        range: true,
        listed: [
          ["arrow/deep", "Directory"],
          ["arrow/deep/data", "File"],
        ],
        copied: true,
        filtered: 10,
        partitioned: [100_000, 3],
        left: [],
      },
    };
    matrix.record("adlfs", found.adlfs, expected.adlfs);
    matrix.record("pyarrow", found.pyarrow, expected.pyarrow);
    expect(found).toEqual(expected);
  });
});
