import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** The `trefoil` command with the real servers, as its users start and lose them. Needs the build. */
const command = fileURLToPath(new URL("../../apps/cli/bin/trefoil.js", import.meta.url));
const servers = ["identity", "objects", "graph"] as const;

let folder = "";
let foreground: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-command-"));
});
afterEach(async () => {
  await trefoil(["stop"]);
  for (const child of foreground) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  }
  foreground = [];
  rmSync(folder, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  ...Object.fromEntries(
    servers.flatMap((name) => [
      [`TREFOIL_${name.toUpperCase()}_HTTP_PORT`, "0"],
      [`TREFOIL_${name.toUpperCase()}_HTTPS_PORT`, "0"],
    ]),
  ),
  ...more,
});
const words = (more: readonly string[]): string[] => [command, ...more, "--data-dir", path.join(folder, "data")];

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function trefoil(more: readonly string[], variables: Record<string, string> = {}): Promise<Outcome> {
  try {
    const options = { cwd: folder, env: environment(variables) };
    return { code: 0, ...(await promisify(execFile)(process.execPath, words(more), options)) };
  } catch (error) {
    return error as Outcome;
  }
}

interface Status {
  readonly server: string;
  readonly state: string;
  readonly pid: number;
  readonly supervisorPid: number;
  readonly addresses: readonly string[];
}

async function status(): Promise<Status[]> {
  return JSON.parse((await trefoil(["status", "--json"])).stdout) as Status[];
}

async function statusOf(server: string): Promise<Status> {
  return (await status()).find((each) => each.server === server)!;
}

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

describe("in the background", () => {
  test("starts, says where everything is without a secret, survives the loss of a server, stops", async () => {
    const started = await trefoil(["start", "--detach"]);
    expect(started.stderr.replace(/^WARNING: Max.*\n/, "")).toBe("");
    expect(started.code).toBe(0);
    const credentialsFile = path.join(folder, "data", "initial-credentials.json");
    expect(started.stdout).toContain(path.join("data", "initial-credentials.json"));
    expect(statSync(credentialsFile).mode & 0o777).toBe(0o600);
    const credentials = JSON.parse(readFileSync(credentialsFile, "utf8")) as {
      identity: { administrator: { password: string } };
      objects: { keys: string[] };
    };
    for (const secret of [credentials.identity.administrator.password, ...credentials.objects.keys]) {
      expect(started.stdout + started.stderr).not.toContain(secret);
      expect(readFileSync(path.join(folder, "data", "logs", "trefoil.log"), "utf8")).not.toContain(secret);
    }

    for (const server of servers) {
      const before = await statusOf(server);
      expect(before).toMatchObject({ server, state: "ready" });
      process.kill(before.pid, "SIGKILL");
      await expect
        .poll(async () => (await statusOf(server)).state === "ready" && (await statusOf(server)).pid !== before.pid, {
          timeout: 30_000,
          interval: 200,
        })
        .toBe(true);
    }

    expect(JSON.parse(readFileSync(credentialsFile, "utf8"))).toEqual(credentials);
    expect(await trefoil(["stop"])).toMatchObject({ code: 0 });
    expect((await trefoil(["status"])).code).toBe(3);
    expect((await trefoil(["stop"])).code).toBe(3);
  });

  test("kill -9 of the supervisor ends its servers, and the next start works", async () => {
    await trefoil(["start", "--detach"]);
    const before = await status();
    process.kill(before[0]!.supervisorPid, "SIGKILL");
    await expect.poll(() => before.filter(({ pid }) => isAlive(pid)), { timeout: 20_000 }).toEqual([]);
    expect((await trefoil(["status"])).code).toBe(3);
    expect((await trefoil(["start", "--detach"])).code).toBe(0);
  });

  test("a second start is refused with the first one's process id; another server may share the folder", async () => {
    await trefoil(["start", "--only", "objects", "--detach"]);
    const { supervisorPid } = await statusOf("objects");
    const second = await trefoil(["start", "--detach"]);
    expect(second.code).toBe(11);
    expect(second.stderr).toContain(`process ${supervisorPid}`);
    expect(await statusOf("objects")).toMatchObject({ state: "ready" });
    expect((await trefoil(["start", "--only", "identity", "--detach"])).code).toBe(0);
    expect(await statusOf("identity")).toMatchObject({ state: "ready" });
  });

  test("a port in use is named at once, and nothing is left running", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const port = String((blocker.address() as AddressInfo).port);
    const refused = await trefoil(["start", "--detach"], { TREFOIL_OBJECTS_HTTP_PORT: port });
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain(`objects: port ${port} of address 127.0.0.1 is already in use`);
    expect((await trefoil(["status"])).code).toBe(3);
    blocker.close();
  });

  test("a bad value is refused with its place before anything starts", async () => {
    const refused = await trefoil(["start", "--detach"], { TREFOIL_GRAPH_HTTPS_PORT: "many" });
    expect(refused.code).toBe(10);
    expect(refused.stderr).toContain('graph.https.port = "many" (TREFOIL_GRAPH_HTTPS_PORT)');
    expect(existsSync(path.join(folder, "data"))).toBe(false);
  });

  test("what is not ready in time is told with the log's last lines, and stopped", async () => {
    const late = await trefoil(["start", "--detach", "--wait", "0.01"]);
    expect(late.code).toBe(4);
    expect(late.stderr).toContain("Failed to start within 0.01 seconds.");
    await expect.poll(async () => (await trefoil(["status"])).code, { timeout: 30_000 }).toBe(3);
  });

  test("restart keeps what ran, with new processes", async () => {
    await trefoil(["start", "--only", "identity", "--detach"]);
    const before = await statusOf("identity");
    expect((await trefoil(["restart"])).code).toBe(0);
    const after = await statusOf("identity");
    expect(after.state).toBe("ready");
    expect(after.pid).not.toBe(before.pid);
    expect((await statusOf("objects")).state).toBe("stopped");
  });
});

describe("in the foreground", () => {
  async function start(): Promise<{ child: ChildProcess; output: () => string }> {
    const child = spawn(process.execPath, words(["start"]), { cwd: folder, env: environment() });
    foreground.push(child);
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output, { timeout: 30_000 }).toContain("Ready. Ctrl-C stops all of it.");
    return { child, output: () => output };
  }

  test("SIGTERM stops all of it in order", async () => {
    const { child, output } = await start();
    const pids = (await status()).map(({ pid }) => pid);
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
    expect(output().match(/"msg":"stopped"/g)).toHaveLength(servers.length);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("Ctrl-C, which reaches everybody at once, does too", async () => {
    const { child, output } = await start();
    for (const { pid } of await status()) {
      process.kill(pid, "SIGINT");
    }
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect((await once(child, "exit"))[0]).toBe(0);
    expect(output().match(/"msg":"stopped"/g)).toHaveLength(servers.length);
  });
});

test("the open-file warning names the limit in force", async () => {
  const script = `ulimit -n 1024; exec "${process.execPath}" "$@"`;
  const options = { cwd: folder, env: environment({ TREFOIL_GRAPH_HTTPS_PORT: "many" }) };
  const refused = (await promisify(execFile)("sh", ["-c", script, "sh", ...words(["start"])], options).catch(
    (error: unknown) => error,
  )) as Outcome;
  expect(refused.code).toBe(10);
  const started = (await promisify(execFile)(
    "sh",
    ["-c", script, "sh", ...words(["start", "--only", "objects", "--detach"])],
    { cwd: folder, env: environment() },
  )) as unknown as Outcome;
  expect(started.stderr).toContain("WARNING: Max 1024 open files allowed, minimum of 40 000 recommended");
});
