import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runCommandLine } from "@trefoil/cli";
import { loadConfiguration } from "@trefoil/config";
import { createLogger } from "@trefoil/http";
import { startIdentityServer } from "@trefoil/identity-server";
import { ensureCliToken, secretKeyFile } from "@trefoil/installation";
import { type RunningServer, type RunFile, runFileOf, type ServerContext } from "@trefoil/server-process";
import { startStorageServer } from "@trefoil/storage-server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

/* The key outside the databases is turned for both servers of a data folder, and may be interrupted at any point. */

let folder: string;
const starters = { identity: startIdentityServer, objects: startStorageServer };
type Name = keyof typeof starters;
const running = new Map<Name, RunningServer>();

async function context(): Promise<ServerContext> {
  return {
    configuration: await loadConfiguration({
      workingDirectory: folder,
      environment: {},
      overrides: {
        "data.directory": folder,
        "identity.http.port": "0",
        "identity.https.port": "0",
        "objects.http.port": "0",
        "objects.https.enabled": "false",
        "identity.password.memory_kib": "7168",
        "identity.password.iterations": "1",
      },
    }),
    dataDirectory: folder,
    logger: createLogger({ name: "test", level: "silent", pretty: false }),
    cliToken: await ensureCliToken(folder),
  };
}

async function start(server: Name): Promise<void> {
  const started = await starters[server](await context());
  running.set(server, started);
  const file: RunFile = {
    server,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    addresses: started.addresses.map(({ protocol, address, port, url }) => ({ protocol, address, port, url })),
  };
  const place = runFileOf(folder, server);
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, JSON.stringify(file));
}

async function stop(server: Name): Promise<void> {
  await running.get(server)?.close();
  running.delete(server);
  await rm(runFileOf(folder, server), { force: true });
}

async function command(...words: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  let written = "";
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
  const errors = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  try {
    return { code: await runCommandLine([...words, "--data-dir", folder, "--json"]), out: written };
  } finally {
    out.mockRestore();
    errors.mockRestore();
  }
}

const keyLines = async (): Promise<readonly string[]> =>
  (await readFile(secretKeyFile(folder), "utf8")).trim().split("\n");
const accountKeys = async (): Promise<unknown> =>
  (JSON.parse((await command("account", "show", "trefoil")).out) as { readonly keys: unknown }).keys;
const signingKeys = async (): Promise<unknown> => JSON.parse((await command("signing-key", "list")).out);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-sealing-"));
  await start("identity");
  await start("objects");
});
afterAll(async () => {
  await stop("objects");
  await stop("identity");
  await rm(folder, { recursive: true });
});

test("a new key seals what both servers keep; then nothing needs the older ones", async () => {
  const [first] = await keyLines();
  const before = [await accountKeys(), await signingKeys()];
  const { code, out } = await command("sealing-key", "rotate");
  expect([code, JSON.parse(out)]).toEqual([0, { resealed: 4, forgotOld: false }]);
  expect((await keyLines()).slice(1)).toEqual([first]);

  expect((await command("sealing-key", "rotate", "--forget-old")).code).toBe(0);
  const [last, ...older] = await keyLines();
  expect(older).toEqual([]);
  expect(last).not.toBe(first);
  for (const server of ["objects", "identity"] as const) {
    await stop(server);
    await start(server);
  }
  expect([await accountKeys(), await signingKeys()]).toEqual(before);
});

test("while one of the servers is stopped nothing is changed", async () => {
  const keys = await keyLines();
  await stop("objects");
  expect((await command("sealing-key", "rotate", "--forget-old")).code).toBe(3);
  expect(await keyLines()).toEqual(keys);
  await start("objects");
});

test("ended after half of it, everything opens and the next run finishes it", async () => {
  const before = await accountKeys();
  await stop("objects");
  // As if the command had ended before it came to the object store, which then started anew.
  const identity = running.get("identity")?.addresses.find(({ protocol }) => protocol === "http");
  const token = (await readFile(path.join(folder, "cli-token"), "utf8")).trim();
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${identity?.url}/v1.0/sealingKey/rotate`, { method: "POST", headers })).status).toBe(200);
  await start("objects");
  expect(await accountKeys()).toEqual(before);
  expect((await keyLines()).length).toBe(2);
  expect((await command("sealing-key", "rotate", "--forget-old")).code).toBe(0);
  expect((await keyLines()).length).toBe(1);
  await stop("objects");
  await start("objects");
  expect(await accountKeys()).toEqual(before);
});
