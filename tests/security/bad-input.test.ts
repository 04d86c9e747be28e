import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { createConnection, createServer } from "node:net";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credentials, System } from "../system/system.ts";

const entry = path.resolve(import.meta.dirname, "../../apps/cli/bin/trefoil.js");

let system: System;
let credentials: Credentials;
beforeAll(async () => {
  system = await System.start();
  credentials = await system.credentials();
});
afterAll(() => system?.stop());

/** A request as text over a socket, for what `fetch` would not send; answers all that came back. */
async function sendRaw(server: "identity" | "objects" | "graph", text: string | readonly string[]): Promise<string> {
  const { hostname, port } = new URL(system.baseUrl(server));
  const socket = createConnection({ host: hostname === "localhost" ? "127.0.0.1" : hostname, port: Number(port) });
  socket.on("error", () => undefined);
  for (const part of typeof text === "string" ? [text] : text) {
    socket.write(part);
  }
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await new Promise((resolve) => {
    socket.once("close", resolve);
    setTimeout(() => socket.destroy(), 3_000);
  });
  return Buffer.concat(chunks).toString();
}

function signedHeaders(method: string, resource: string, length: number, key?: string): Record<string, string> {
  const { account, keys } = credentials.objects;
  const own = {
    "x-store-blob-type": "BlockBlob",
    "x-store-date": new Date().toUTCString(),
    "x-store-version": "2015-02-21",
  };
  // Encoding, language, length, then eight more that these requests leave empty.
  const standard = Array.from({ length: 11 }, (_, line) => (line === 2 && length > 0 ? String(length) : ""));
  const stringToSign = [
    method,
    ...standard,
    ...Object.entries(own).map(([name, value]) => `${name}:${value}`),
    `/${account}${resource}`,
  ].join("\n");
  const signature = createHmac("sha256", Buffer.from(key ?? keys[0] ?? "", "base64"))
    .update(stringToSign)
    .digest("base64");
  return { ...own, Authorization: `SharedKey ${account}:${signature}` };
}

describe.each(["identity", "objects", "graph"] as const)("%s", (server) => {
  test("a head over the limit is answered by 431 and nothing else", async () => {
    const answer = await sendRaw(server, `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test.each(["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n"])(
    "what is not HTTP is answered by 400: %j",
    async (text) => {
      expect(await sendRaw(server, text)).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test("two lengths that disagree are refused", async () => {
    const head =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    expect(await sendRaw(server, head)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("no answer shows a stack trace or a path of this machine", async () => {
    const paths = ["/%", "/%00", "/..%2f..%2fetc/passwd", `/${"a/".repeat(2_000)}`, "/?%zz", "/db/data/node/-1", "//"];
    for (const name of paths) {
      const text = await sendRaw(server, `GET ${name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(text, name).toMatch(/^HTTP\/1\.1 [234]\d\d /);
      expect(text, name).not.toMatch(/\bat .+\.(?:js|ts):\d+/);
      expect(text, name).not.toContain(path.resolve(import.meta.dirname, "../.."));
    }
  });
});

describe("identity refuses", () => {
  const token = (tenant: string, form: Record<string, string>, method = "POST"): Promise<Response> =>
    fetch(`${system.baseUrl("identity")}/${tenant}/oauth2/token`, {
      method,
      ...(method === "POST" ? { body: new URLSearchParams(form) } : {}),
    });

  test.each([
    ["an unknown tenant", "11111111-2222-3333-4444-555555555555", { grant_type: "password" }, "invalid_request", 90002],
    ["an unknown grant", "", { grant_type: "magic", client_id: "x" }, "unsupported_grant_type", 70003],
    ["no grant", "", { client_id: "x" }, "invalid_request", 900144],
    [
      "an unknown client",
      "",
      {
        grant_type: "client_credentials",
        client_id: "00000000-0000-0000-0000-00000000000f",
        client_secret: "x",
        resource: "r",
      },
      "unauthorized_client",
      700016,
    ],
  ])("%s", async (_, tenant, form, error, code) => {
    const answer = await token(tenant === "" ? credentials.identity.tenantId : tenant, form as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error, error_codes: expect.arrayContaining([code]) });
  });

  test("another method than POST, with what is allowed", async () => {
    const answer = await token(credentials.identity.tenantId, {}, "PUT");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, expect.stringContaining("POST")]);
  });

  test("a body over any reason", async () => {
    const answer = await token(credentials.identity.tenantId, { grant_type: "x".repeat(3_000_000) });
    expect(answer.status).toBe(413);
  });
});

describe("objects refuse", () => {
  const ask = (method: string, resource: string, headers: Record<string, string>, body?: string): Promise<Response> =>
    fetch(`${system.baseUrl("objects")}${resource}`, { method, headers, ...(body === undefined ? {} : { body }) });

  test("a wrong signature, in XML, with what was signed for the wrong key kept quiet", async () => {
    const wrongKey = Buffer.alloc(64).toString("base64");
    const answer = await ask("GET", "/ccc/b", signedHeaders("GET", "/ccc/b", 0, wrongKey));
    const text = await answer.text();
    expect([answer.status, answer.headers.get("x-store-error-code")]).toEqual([403, "AuthenticationFailed"]);
    expect(text).toMatch(/<Code>AuthenticationFailed<\/Code><Message>.*<AuthenticationErrorDetail>/s);
  });

  test("a missing container and a missing blob", async () => {
    const answer = await ask("GET", "/nowhere/b", signedHeaders("GET", "/nowhere/b", 0));
    expect([answer.status, answer.headers.get("x-store-error-code")]).toEqual([404, "ContainerNotFound"]);
  });

  test("an upload that ends early leaves nothing", async () => {
    await createContainer("truncated");
    const headers = signedHeaders("PUT", "/truncated/b", 1_000_000);
    const head = Object.entries({ ...headers, Host: "localhost", "Content-Length": "1000000" })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    const { port } = new URL(system.baseUrl("objects"));
    const socket = createConnection({ host: "127.0.0.1", port: Number(port) });
    socket.on("error", () => undefined);
    socket.write(`PUT /truncated/b HTTP/1.1\r\n${head}\r\n`);
    socket.write(Buffer.alloc(600_000));
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.destroy();
    const answer = await ask("GET", "/truncated/b", signedHeaders("GET", "/truncated/b", 0));
    expect([answer.status, answer.headers.get("x-store-error-code")]).toEqual([404, "BlobNotFound"]);
  });

  async function createContainer(name: string): Promise<void> {
    const { account } = credentials.objects;
    const own = { "x-store-date": new Date().toUTCString(), "x-store-version": "2015-02-21" };
    const stringToSign = [
      "PUT",
      ...Array.from({ length: 11 }, () => ""),
      ...Object.entries(own).map(([header, value]) => `${header}:${value}`),
      `/${account}/${name}\nrestype:container`,
    ].join("\n");
    const signature = createHmac("sha256", Buffer.from(credentials.objects.keys[0] ?? "", "base64"))
      .update(stringToSign)
      .digest("base64");
    const answer = await ask("PUT", `/${name}?restype=container`, {
      ...own,
      Authorization: `SharedKey ${account}:${signature}`,
    });
    expect(answer.status).toBe(201);
  }
});

describe("the graph refuses", () => {
  const post = (pathname: string, body: string): Promise<Response> => {
    const { username, password } = credentials.graph;
    const basic = Buffer.from(`${username}:${password}`).toString("base64");
    const headers = { Authorization: `Basic ${basic}`, "Content-Type": "application/json" };
    return fetch(`${system.baseUrl("graph")}${pathname}`, { method: "POST", headers, body });
  };
  const errorOf = async (body: string): Promise<{ code: string; message: string }> => {
    const answer = await post("/db/data/transaction/commit", body);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { errors: { code: string; message: string }[] }).errors[0]!;
  };

  test.each(["{", "[]", "5", '"x"', '{"statements":', '{"statements":[{"statement":"RETURN 1"', "\u0000"])(
    "the body %j",
    async (body) => {
      expect((await errorOf(body)).code).toBe("Graph.ClientError.Request.InvalidFormat");
    },
  );

  test("a body nested beyond any use", async () => {
    const deep = `{"statements":[{"statement":"RETURN {p}","parameters":{"p":${"[".repeat(100_000)}${"]".repeat(100_000)}}}]}`;
    expect((await errorOf(deep)).code).toMatch(/^Graph\.ClientError\./);
  });

  test("a statement nested beyond any use", async () => {
    const statement = `RETURN ${"(".repeat(50_000)}1${")".repeat(50_000)}`;
    expect((await errorOf(JSON.stringify({ statements: [{ statement }] }))).code).toMatch(/^Graph\.ClientError\./);
  });

  test("a path that is not served, with a page", async () => {
    const answer = await post("/db/data/nowhere", "{}");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, expect.stringMatching(/^text\/html/)]);
    expect(await answer.text()).toContain("Not Found");
  });
});

describe("a start refuses", () => {
  const run = promisify(execFile);
  const failure = (words: readonly string[], cwd: string): Promise<{ code: number; stderr: string; stdout: string }> =>
    run(process.execPath, [entry, ...words], { cwd, timeout: 30_000 }).then(
      () => ({ code: 0, stderr: "", stdout: "" }),
      (error: { code: number; stderr: string; stdout: string }) => error,
    );

  test("a data folder that another process uses, and names that process", async () => {
    const { code, stderr } = await failure(["start", "--data-dir", system.dataDirectory], system.workingDirectory);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/process \d+|pid \d+/i);
  });

  test("a port in use, and names it", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "trefoil-port-"));
    const occupier = createServer();
    await new Promise<void>((resolve) => occupier.listen(0, "127.0.0.1", resolve));
    const { port } = occupier.address() as { port: number };
    await writeFile(path.join(folder, "trefoil.properties"), `graph.http.port=${port}\n`);
    const { code, stderr, stdout } = await failure(["start", "--only", "graph"], folder);
    occupier.close();
    await rm(folder, { recursive: true });
    expect(code).not.toBe(0);
    expect(stderr + stdout).toContain(String(port));
  });

  test("a graph store of another make, with the words the interface gives", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "trefoil-store-"));
    await mkdir(path.join(folder, "data/graph"), { recursive: true, mode: 0o700 });
    await writeFile(path.join(folder, "data/graph/neostore"), "some other database's file");
    await writeFile(path.join(folder, "trefoil.properties"), "graph.http.port=0\ngraph.https.port=0\n");
    const { code, stderr, stdout } = await failure(["start", "--only", "graph"], folder);
    await rm(folder, { recursive: true });
    expect(code).not.toBe(0);
    expect(stderr + stdout).toContain("has a store version number that we cannot upgrade from");
  });
});
