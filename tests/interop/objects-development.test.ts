import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { System } from "../system/system.ts";
import { type Installation, installFromNpm, installOrSkip } from "./install-for-a-while.ts";
import { findProgram, runProgram } from "../system/run-program.ts";

/** Where clients look for the development account, whatever they are told. */
const PORT = 10_000;

const isFree = await new Promise<boolean>((resolve) => {
  const server = createServer();
  server.once("error", () => resolve(false));
  server.listen(PORT, "127.0.0.1", () => server.close(() => resolve(true)));
});
const connectionString = "UseDevelopmentStorage=true";

describe.skipIf(!isFree)(`the development account (needs the port ${PORT})`, () => {
  let system: System;
  beforeAll(async () => {
    const properties = { "objects.http.port": String(PORT), "objects.development_account": "true" };
    system = await System.start({ only: ["objects"], properties });
  });
  let installation: Installation | undefined;
  afterAll(async () => {
    await installation?.remove();
    await system?.stop();
  });

  /** The machine's program, or that of the npm package, which holds one for Linux. */
  async function findAzcopy(context: TestContext): Promise<string> {
    const installed = await findProgram(["azcopy"], ["--version"]);
    if (installed !== undefined) {
      return installed;
    }
    const install = (): Promise<Installation> => installFromNpm(["@azure-tools/azcopy-linux@10.32.2"]);
    installation = await installOrSkip(context, install, () => undefined);
    const file = path.join(
      installation.folder,
      "node_modules/@azure-tools/azcopy-linux/dist/bin",
      `azcopy_linux_${process.arch === "x64" ? "amd64" : process.arch}`,
    );
    await chmod(file, 0o755).catch(() => undefined);
    return (await findProgram([file], ["--version"])) ?? context.skip("it doesn't run here: it needs libsecret-1");
  }

  test("is what UseDevelopmentStorage=true means to the legacy library and the newest SDK", async () => {
    const legacy = await system.runClient<Record<string, unknown>>("azure-storage.mjs", { connectionString });
    expect(legacy).toMatchObject({ stream: true, copy: ["success", "changed"], sas: "changed" });
    await system.runClient("create-container.mjs", { connectionString, container: "unstorage" });
    const layered = await system.runClient("unstorage.mjs", { connectionString, container: "unstorage" });
    expect(layered).toMatchObject({ item: { x: 1 }, left: [] });
  });

  test("azcopy", { timeout: 150_000 }, async (context) => {
    const azcopy = await findAzcopy(context);
    const file = (name: string): string => path.join(system.workingDirectory, name);
    const big = randomBytes(20_000_000);
    await mkdir(file("up/sub"), { recursive: true });
    await writeFile(file("up/big"), big);
    await writeFile(file("up/sub/small"), "small");
    const words = ["account", "sas", "devstoreaccount1", "--permissions", "rwdlac"] as const;
    const { sas } = await system.trefoil<{ sas: string }>(...words);
    const url = (place: string): string => `http://127.0.0.1:${PORT}/devstoreaccount1/${place}?${sas}`;
    const environment = { AZCOPY_LOG_LOCATION: file("log"), AZCOPY_JOB_PLAN_LOCATION: file("plan") };
    const run = (...line: string[]): Promise<string> =>
      runProgram(azcopy, [...line, "--skip-version-check"], { environment });
    for (const container of ["first", "second"]) {
      await system.runClient("create-container.mjs", { connectionString, container });
    }
    await run("copy", file("up"), url("first"), "--recursive", "--put-md5", "--from-to", "LocalBlob");
    await run("copy", url("first/*"), url("second"), "--recursive", "--from-to", "BlobBlob");
    await run("copy", url("second"), file("down"), "--recursive", "--from-to", "BlobLocal");
    const sha = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
    expect(sha(await readFile(file("down/second/up/big")))).toBe(sha(big));
    expect(await run("list", url("second"), "--location", "Blob")).toContain("up/sub/small");
    const synced = await run("sync", file("up"), url("first/up"), "--recursive", "--from-to", "LocalBlob");
    expect(synced).toMatch(/Total Number of Copy Transfers: 0/u);
    await run("remove", url("second"), "--recursive", "--from-to", "BlobTrash");
    expect(await run("list", url("second"), "--location", "Blob")).not.toContain("big");
  });
});
