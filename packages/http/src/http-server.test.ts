import { StartError } from "@trefoil/base";
import { connect } from "node:net";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { type DirectRoute, type DirectService } from "./direct-requests.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "./http-server.ts";
import type { ListeningAddress } from "./listener.ts";
import { createLogger } from "./logger.ts";

const open: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

function create(more: Partial<HttpServerOptions> = {}, lines: string[] = []): HttpServer {
  const logger = createLogger({ name: "probe", level: "info", pretty: false, stream: { write: (l) => lines.push(l) } });
  const server = createHttpServer({
    name: "probe",
    logger,
    http: { addresses: ["127.0.0.1", "::1"], port: 0 },
    ...more,
  });
  open.push(server);
  server.app.get("/things/:id", (request) => ({ id: (request.params as { id: string }).id }));
  return server;
}

/** Starts a server and gives its first address. */
async function listenFirst(server: HttpServer): Promise<ListeningAddress> {
  return (await server.listen())[0]!;
}

async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  let answer = "";
  socket.on("data", (chunk: string) => (answer += chunk));
  socket.write(text);
  await once(socket, "close");
  return answer;
}

describe("listening", () => {
  test("both loopback addresses get one port", async () => {
    const addresses = await create().listen();
    expect(addresses.length).toBeGreaterThan(0);
    expect(new Set(addresses.map(({ port }) => port)).size).toBe(1);
    for (const { url } of addresses) {
      expect(await (await fetch(`${url}/things/7`)).json()).toEqual({ id: "7" });
    }
  });

  test("a port in use is a start error that names address and port", async () => {
    const [first] = await create().listen();
    const second = create({ http: { addresses: ["127.0.0.1"], port: first!.port } });
    const failure = await second.listen().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(failure).toMatchObject({ code: "port" });
    expect(String(failure)).toContain(`port ${first!.port} of address 127.0.0.1`);
  });

  test("an address of another machine is a start error", async () => {
    const server = create({ http: { addresses: ["192.0.2.1"], port: 0 } });
    await expect(server.listen()).rejects.toMatchObject({ code: "port" });
  });

  test("a route with a JSON schema is refused: nothing could compile it", async () => {
    const server = create();
    server.app.get("/described", { schema: { response: { 200: { type: "string" } } } }, () => "text");
    await expect(server.listen()).rejects.toThrow("no route here is described by a JSON schema");
  });
});

describe("what is not readable as HTTP", () => {
  test("nonsense is answered by 400 and the connection ends", async () => {
    const { port } = await listenFirst(create());
    expect(await exchange(port, "nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*Connection: close/);
  });

  test("a head over the limit is answered by 431, in the server's own words", async () => {
    const server = create({
      maxHeaderBytes: 2048,
      renderClientError: (status) => ({ contentType: "application/json", body: JSON.stringify({ status }) }),
    });
    const { port } = await listenFirst(server);
    const head = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(4096)}\r\n\r\n`;
    expect(await exchange(port, head)).toMatch(/^HTTP\/1\.1 431 [^]*\{"status":431\}$/);
  });

  test("behind a request whose answer has begun: the connection ends without a second status line", async () => {
    const server = create();
    server.app.get("/slow", (_request, reply) => {
      reply.hijack();
      reply.raw.write("begun");
    });
    const { port } = await listenFirst(server);
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    let answer = "";
    socket.on("data", (chunk: string) => {
      answer += chunk;
      if (answer.includes("begun")) {
        socket.write("nonsense\r\n\r\n");
      }
    });
    socket.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "close");
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
  });
});

describe("request ids", () => {
  test("a harmless one is kept, others are replaced", async () => {
    const { url } = await listenFirst(create());
    const ask = async (id: string): Promise<string | null> =>
      (await fetch(`${url}/things/1`, { headers: { "x-request-id": id } })).headers.get("x-request-id");
    expect(await ask("abc-1")).toBe("abc-1");
    expect(await ask("a b")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ask("x".repeat(200))).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("access log", () => {
  test("one line per request, without the query's secrets", async () => {
    const lines: string[] = [];
    const { url } = await listenFirst(create({}, lines));
    await fetch(`${url}/things/1?code=SECRET1&sig=SECRET2&client%5Fsecret=SECRET3&a=b`, {
      headers: { authorization: "Bearer SECRET4SECRET4SECRET4" },
    });
    await expect.poll(() => lines.length).toBe(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: "info", method: "GET", status: 200, msg: "request" });
    expect(lines.join("")).not.toContain("SECRET");
    expect(lines[0]).toContain("a=b");
  });

  test("an address with quotes is one member of its line", async () => {
    const lines: string[] = [];
    const { port } = await listenFirst(create({}, lines));
    await exchange(port, 'GET /a","b":"\\ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await expect.poll(() => lines.length).toBe(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ url: '/a","b":"\\', status: 404 });
  });

  test("a failure is logged with its stack and answered without it", async () => {
    const lines: string[] = [];
    const server = create({}, lines);
    server.app.get("/fails", () => {
      throw new Error("the reason");
    });
    const { url } = await listenFirst(server);
    expect((await fetch(`${url}/fails`)).status).toBe(500);
    await expect.poll(() => lines.length).toBe(2);
    expect(lines.join("")).toContain("the reason");
  });
});

describe("a service that passes by the application", () => {
  const route: DirectRoute = {
    template: "/direct/:id",
    serve: (_request, response, requestId) => {
      response.writeHead(202).end(requestId);
      return Promise.resolve();
    },
  };
  const direct: DirectService = {
    find: ({ url = "" }) => (url.startsWith("/direct/") ? route : undefined),
  };

  test("gets its own requests, with the same ids, log lines and metrics", async () => {
    const lines: string[] = [];
    const { url } = await listenFirst(create({ direct }, lines));
    const answer = await fetch(`${url}/direct/1?sig=SECRET1`, { headers: { "x-request-id": "abc-1" } });
    expect([answer.status, await answer.text()]).toEqual([202, "abc-1"]);
    expect(await (await fetch(`${url}/things/7`)).json()).toEqual({ id: "7" });
    await expect.poll(() => lines.length).toBe(2);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: "info", method: "GET", status: 202, requestId: "abc-1" });
    expect(lines.join("")).not.toContain("SECRET");
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toMatch(/http_requests_total\{method="GET",route="\/direct\/:id",status="202",server="probe"\} 1/);
    expect(text).toMatch(/http_requests_in_flight\{server="probe"\} 1/);
  });
});

describe("health and metrics", () => {
  test("ready follows the server, live does not", async () => {
    let ready = false;
    const { url } = await listenFirst(create({ isReady: () => ready }));
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    ready = true;
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  test("requests are counted by route template", async () => {
    const { url } = await listenFirst(create());
    await fetch(`${url}/things/1`);
    await fetch(`${url}/things/2`);
    await fetch(`${url}/nowhere`);
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toMatch(/http_requests_total\{method="GET",route="\/things\/:id",status="200",server="probe"\} 2/);
    expect(text).toMatch(/http_requests_total\{method="GET",route="not found",status="404",server="probe"\} 1/);
  });

  test("the process is measured", async () => {
    const { url } = await listenFirst(create());
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(valueIn(text, "nodejs_heap_size_used_bytes")).toBeLessThan(valueIn(text, "nodejs_heap_size_total_bytes"));
    expect(valueIn(text, "process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(valueIn(text, "process_start_time_seconds")).toBeCloseTo(performance.timeOrigin / 1000, 0);
    expect(valueIn(text, "nodejs_eventloop_lag_min_seconds")).toBeLessThan(60);
    expect(valueIn(text, "nodejs_active_resources_total")).toBeGreaterThan(0);
    expect(text).toMatch(/nodejs_heap_space_size_used_bytes\{space="old",server="probe"\} \d/);
    expect(text).toContain(`nodejs_version_info{version="${process.version}",server="probe"} 1`);
    // Collections of garbage are no events, which cost more than they do.
    expect(text).not.toContain("_gc_");
  });

  test.runIf(process.platform === "linux")("so are its memory and its files, by what the system says", async () => {
    const { url } = await listenFirst(create());
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(valueIn(text, "process_virtual_memory_bytes")).toBeGreaterThan(
      valueIn(text, "process_resident_memory_bytes"),
    );
    expect(valueIn(text, "process_heap_bytes")).toBeGreaterThan(0);
    expect(valueIn(text, "process_open_fds")).toBeGreaterThan(0);
    expect(valueIn(text, "process_max_fds")).toBeGreaterThanOrEqual(valueIn(text, "process_open_fds"));
  });

  test("metrics are refused to requests that a proxy passed on, unless the guard lets them in", async () => {
    const passedOn = { headers: { "x-forwarded-for": "203.0.113.9" } };
    const { url } = await listenFirst(create());
    expect((await fetch(`${url}/metrics`, passedOn)).status).toBe(403);
    const [guarded] = await create({ metricsGuard: (request) => request.headers["x-guard"] === "yes" }).listen();
    const headers = { ...passedOn.headers, "x-guard": "yes" };
    expect((await fetch(`${guarded!.url}/metrics`, { headers })).status).toBe(200);
  });

  test("metrics are refused to a page that had its own name resolved to this machine", async () => {
    const { port } = await listenFirst(create());
    const answer = await exchange(port, "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe("closing", () => {
  test("a request that is being answered finishes, its connection closes, new ones are refused", async () => {
    const server = create();
    let answer: (value: unknown) => void = () => undefined;
    let arrived: () => void = () => undefined;
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve));
    server.app.get("/slow", () => {
      arrived();
      return new Promise((resolve) => (answer = resolve));
    });
    const { url } = await listenFirst(server);
    const pending = fetch(`${url}/slow`);
    await hasArrived;
    const closed = server.close();
    await expect(fetch(`${url}/things/1`)).rejects.toThrow();
    answer({ finished: true });
    expect(await (await pending).json()).toEqual({ finished: true });
    await closed;
  });

  test("an idle keep-alive connection does not hold it up", async () => {
    const server = create({ closeGraceMs: 60_000 });
    const { port } = await listenFirst(server);
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /things/1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
    socket.resume();
    const started = performance.now();
    await Promise.all([server.close(), once(socket, "close")]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("a connection that nothing was ever sent on does not hold it up", async () => {
    const server = create({ closeGraceMs: 60_000 });
    const { port } = await listenFirst(server);
    const socket = connect(port, "127.0.0.1");
    const ended = once(socket, "close");
    socket.resume();
    // The first one is waiting to be accepted no longer when this one is answered.
    await exchange(port, "GET /things/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const started = performance.now();
    await Promise.all([server.close(), ended]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("a request that is still arriving is waited for", async () => {
    const server = create();
    const { port } = await listenFirst(server);
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    let answer = "";
    socket.on("data", (chunk: string) => (answer += chunk));
    socket.write("GET /things/7 HTTP/1.1\r\n");
    await exchange(port, "GET /things/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const closed = server.close();
    await new Promise((resolve) => setTimeout(resolve, 150));
    socket.write("Host: localhost\r\n\r\n");
    await Promise.all([closed, once(socket, "close")]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\{"id":"7"\}$/);
  });

  test("a request that never ends is cut after the grace period", async () => {
    const server = create({ closeGraceMs: 50 });
    server.app.get("/never", () => new Promise(() => undefined));
    const { port } = await listenFirst(server);
    const request = httpRequest({ port, host: "127.0.0.1", path: "/never" });
    const failed = once(request, "error");
    request.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();
    await failed.catch((error: unknown) => error);
  });
});

function valueIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}\\{[^}]*\\} (.+)$`, "m").exec(text)?.[1]);
}
