import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect as connectSecurely } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { exitCodes } from "./exit-codes.ts";
import { type ServerMessage, runFileOf } from "./supervision.ts";

const fixture = fileURLToPath(new URL("testing/fixture-server.mjs", import.meta.url));
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });
const children: ChildProcess[] = [];
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-process-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly message: Promise<ServerMessage>;
  readonly ended: Promise<number | null>;
  output(): string;
}

function start(environment: Record<string, string> = {}, args: string[] = []): Started {
  const child = fork(fixture, ["--data-dir", path.join(folder, "data"), ...args], {
    cwd: folder,
    silent: true,
    execArgv: [],
    env: { PATH: process.env["PATH"], TREFOIL_GRAPH_HTTP_PORT: "0", TREFOIL_GRAPH_HTTPS_PORT: "0", ...environment },
  });
  children.push(child);
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    message: once(child, "message").then(([message]) => message as ServerMessage),
    ended: once(child, "exit").then(([code]) => code as number | null),
    output: () => output,
  };
}

async function readyUrl(started: Started, protocol = "http"): Promise<string> {
  const message = await started.message;
  return message.kind === "ready" ? message.addresses.find((address) => address.protocol === protocol)!.url : "";
}

describe("a server's process", () => {
  test("tells where it serves, over http and https, and ends in order on SIGTERM", async () => {
    const started = start();
    const url = await readyUrl(started);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const data = path.join(folder, "data");
    const ca = readFileSync(path.join(data, "tls", "ca.pem"));
    const answer = request(`${await readyUrl(started, "https")}/health/live`, { ca }).end();
    expect((await once(answer, "response"))[0]).toMatchObject({ statusCode: 200 });
    expect(JSON.parse(readFileSync(runFileOf(data, "graph"), "utf8"))).toMatchObject({ pid: started.child.pid });
    started.child.kill("SIGTERM");
    expect(await started.ended).toBe(exitCodes.success);
    expect(existsSync(runFileOf(data, "graph"))).toBe(false);
    expect(started.output()).toContain('"msg":"stopped"');
  });

  test("finishes the request it is answering when it is told to stop", async () => {
    const started = start();
    const url = await readyUrl(started);
    const pending = fetch(`${url}/slow`);
    await new Promise((resolve) => setTimeout(resolve, 150));
    started.child.kill("SIGTERM");
    expect(await (await pending).json()).toEqual({ finished: true });
    expect(await started.ended).toBe(exitCodes.success);
  });

  test("does not wait for connections that nothing was ever sent on, TLS or not", async () => {
    const started = start();
    const port = Number(new URL(await readyUrl(started)).port);
    const securePort = Number(new URL(await readyUrl(started, "https")).port);
    const ca = readFileSync(path.join(folder, "data", "tls", "ca.pem"));
    const secure = connectSecurely({ port: securePort, host: "127.0.0.1", servername: "localhost", ca });
    const silent = [connect(port, "127.0.0.1"), connect(securePort, "127.0.0.1"), secure];
    const ends = silent.map((socket) => once(socket.resume(), "close"));
    await once(secure, "secureConnect");
    const toldMs = performance.now();
    started.child.kill("SIGTERM");
    expect(await started.ended).toBe(exitCodes.success);
    // The grace for what is being answered is ten seconds.
    expect(performance.now() - toldMs).toBeLessThan(5_000);
    await Promise.all(ends);
  });

  test("ends when its supervisor is gone", async () => {
    const started = start();
    await started.message;
    started.child.disconnect();
    expect(await started.ended).toBe(exitCodes.success);
  });

  test("that can't read what is stored isn't started again", async () => {
    const started = start({ TREFOIL_FIXTURE_GRAPH: "corrupt" });
    expect(await started.message).toMatchObject({ kind: "start-error", code: "store" });
    expect(await started.ended).toBe(exitCodes.store);
    expect(started.output()).not.toContain('"level":"fatal"');
  });

  test("ends with 1 after an unexpected error", async () => {
    const started = start();
    await fetch(`${await readyUrl(started)}/throw`).catch(() => undefined);
    expect(await started.ended).toBe(exitCodes.failure);
    expect(started.output()).toContain("unhandled");
  });

  test("the command line's token is accepted, another is not", async () => {
    const url = await readyUrl(start());
    const token = readFileSync(path.join(folder, "data", "cli-token"), "utf8").trim();
    const ask = async (value: string): Promise<unknown> =>
      (await fetch(`${url}/token`, { headers: { authorization: `Bearer ${value}` } })).json();
    expect(await ask(token)).toEqual({ accepted: true });
    expect(await ask(`${token}x`)).toEqual({ accepted: false });
  });
});

describe("start errors have their own exit codes", () => {
  test("a second process on the same folder names the first", async () => {
    const first = start();
    await first.message;
    const second = start();
    expect(await second.message).toMatchObject({ kind: "start-error", code: "lock" });
    expect(JSON.stringify(await second.message)).toContain(`process ${first.child.pid}`);
    expect(await second.ended).toBe(exitCodes.lock);
  });

  test("a port in use is named", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const port = String((blocker.address() as AddressInfo).port);
    const started = start({ TREFOIL_GRAPH_HTTP_PORT: port });
    expect(await started.message).toMatchObject({ code: "port" });
    expect(JSON.stringify(await started.message)).toContain(port);
    expect(await started.ended).toBe(exitCodes.port);
    blocker.close();
  });

  test("a bad value and a store of another kind", async () => {
    writeFileSync(path.join(folder, "trefoil.properties"), "graph.https.port=many\n");
    const started = start({ TREFOIL_GRAPH_HTTPS_PORT: "" });
    expect(await started.message).toMatchObject({ code: "configuration" });
    expect(await started.ended).toBe(exitCodes.configuration);
    const foreign = start({ TREFOIL_FIXTURE_GRAPH: "fail" });
    expect(await foreign.message).toMatchObject({ code: "store" });
    expect(await foreign.ended).toBe(exitCodes.store);
  });

  test("an unknown option is wrong usage", async () => {
    const started = start({}, ["--nonsense"]);
    expect(await started.ended).toBe(exitCodes.usage);
    expect(started.output()).toContain("--nonsense");
  });
});
