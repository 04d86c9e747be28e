import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerName } from "../server-names.ts";
import { becomeSupervisor, findSupervisors, readServerState } from "./running.ts";
import { Supervisor } from "./supervisor.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const fixture = fileURLToPath(
  new URL("../../../../packages/server-process/src/testing/fixture-server.mjs", import.meta.url),
);
let folder = "";
let supervisors: Supervisor[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-supervisor-"));
  for (const name of ["GRAPH", "OBJECTS", "IDENTITY"]) {
    vi.stubEnv(`TREFOIL_${name}_HTTP_PORT`, "0");
    vi.stubEnv(`TREFOIL_${name}_HTTPS_ENABLED`, "false");
  }
});
afterEach(async () => {
  await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
  supervisors = [];
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly supervisor: Supervisor;
  readonly lines: string[];
  log(): string;
}

function start(servers: readonly ServerName[] = ["graph"]): Started {
  const lines: string[] = [];
  let log = "";
  const supervisor = new Supervisor({
    servers,
    arguments: ["--data-dir", folder],
    writeLog: (chunk) => (log += chunk.toString()),
    report: (line) => lines.push(line),
    mainFile: () => fixture,
  });
  supervisors.push(supervisor);
  supervisor.start();
  return { supervisor, lines, log: () => log };
}

async function graphAddress(): Promise<string> {
  const state = await readServerState(folder, "graph");
  return state.state === "running" ? state.run.addresses[0]!.url : "";
}

describe("a supervisor", () => {
  test("says when its servers are ready, and stops them in order", async () => {
    const { supervisor, log } = start();
    const first = await supervisor.firstStart;
    expect(first).toMatchObject({ kind: "ready" });
    expect(await fetch(`${await graphAddress()}/health/ready`)).toMatchObject({ status: 200 });
    await supervisor.stop();
    expect(log()).toContain('"msg":"stopped"');
    expect(await readServerState(folder, "graph")).toMatchObject({ state: "stopped" });
  });

  test("starts a killed server again", async () => {
    const { supervisor, lines } = start();
    await supervisor.firstStart;
    const before = await readServerState(folder, "graph");
    await fetch(`${await graphAddress()}/crash`).catch(() => undefined);
    await expect.poll(() => lines, { timeout: 15_000 }).toContain("graph is back");
    expect(lines[0]).toContain("ended by SIGKILL; starting it again in 0.25 s");
    const after = await readServerState(folder, "graph");
    expect(before.state === "running" && after.state === "running" && before.run.pid !== after.run.pid).toBe(true);
    expect(await fetch(`${await graphAddress()}/health/ready`)).toMatchObject({ status: 200 });
  });

  test("waits longer after every crash", async () => {
    vi.stubEnv("NODE_OPTIONS", "--nonsense");
    const { lines } = start();
    await expect.poll(() => lines.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(3);
    expect(lines.slice(0, 3).map((line) => /in ([\d.]+) s/.exec(line)?.[1])).toEqual(["0.25", "0.5", "1"]);
  });

  test("does not try again what cannot be mended", async () => {
    vi.stubEnv("TREFOIL_FIXTURE_GRAPH", "fail");
    const { supervisor, lines } = start();
    const first = await supervisor.firstStart;
    expect(first).toMatchObject({ kind: "failed", server: "graph", exitCode: 13 });
    expect(await supervisor.nothingLeft).toBe(13);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(lines).toEqual(["graph: the fixture's store is foreign"]);
  });
});

describe("the folder's supervisors", () => {
  const file = { pid: process.pid, isDetached: false } as const;

  test("one per server, several per folder", async () => {
    const graph = await becomeSupervisor(folder, { ...file, servers: ["graph"] });
    await expect(becomeSupervisor(folder, { ...file, servers: ["objects", "graph"] })).rejects.toThrow(
      `graph is running already on ${folder}: its supervisor is process ${process.pid}`,
    );
    const objects = await becomeSupervisor(folder, { ...file, servers: ["objects"] });
    expect(await findSupervisors(folder)).toHaveLength(1);
    expect(await readServerState(folder, "graph")).toMatchObject({ state: "starting", supervisorPid: process.pid });
    await graph.release();
    await objects.release();
    expect(await findSupervisors(folder)).toEqual([]);
    expect(await readServerState(folder, "graph")).toEqual({ server: "graph", state: "stopped" });
  });
});
