import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface, type TestInterfaceOptions } from "../testing/test-interface.ts";

let plugins: string;
let server: TestInterface | undefined;

beforeEach(async () => {
  plugins = await mkdtemp(path.join(tmpdir(), "extensions-"));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(plugins, { recursive: true });
});

const write = (name: string, body: string): Promise<void> =>
  writeFile(path.join(plugins, `${name}.mjs`), `export function register(context) { ${body} }`);

async function start(options: Partial<TestInterfaceOptions> = {}): Promise<TestInterface> {
  server = await startTestInterface({ plugins, ...options });
  return server;
}

async function ask(method: string, url: string, body?: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server!.baseUrl}${url}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: answer.status, text: await answer.text() };
}

async function run(
  statement: string,
): Promise<{ results: { data: { row: unknown[] }[] }[]; errors: { code: string }[] }> {
  const { text } = await ask("POST", "/db/data/transaction/commit", { statements: [{ statement }] });
  return JSON.parse(text) as Awaited<ReturnType<typeof run>>;
}

describe("routes of extension modules", () => {
  it("answer below their mount, by path, method and query", async () => {
    await write(
      "org.example",
      `context.get("/helloworld/{name}", (body, request) => "Hello, " + request.parameters.name + (request.query.mark ?? ""));
       context.put("/", (body) => ({ status: 201, headers: { "X-Made": "yes" }, body: { given: body } }));`,
    );
    await start({ mounts: [{ packageName: "org.example", mountPath: "/examples" }] });
    expect(await ask("GET", "/examples/helloworld/J%C3%BCrgen%20B?mark=!")).toEqual({
      status: 200,
      text: '"Hello, Jürgen B!"',
    });
    expect(await ask("PUT", "/examples", { a: [1, 2.5] })).toEqual({ status: 201, text: '{"given":{"a":[1,2.5]}}' });
    expect((await ask("POST", "/examples/helloworld/x")).status).toBe(405);
    expect((await ask("GET", "/examples/nothing")).status).toBe(404);
    expect((await ask("GET", "/nowhere")).text).toContain("Not Found");
  });

  it("mount at /ext-js/<name> when nothing maps them, folders by their package.json", async () => {
    await mkdir(path.join(plugins, "folder"));
    await writeFile(path.join(plugins, "folder", "package.json"), '{"name":"tools","main":"start.mjs"}');
    await writeFile(
      path.join(plugins, "folder", "start.mjs"),
      "export function register(context) { context.get('/size', () => 9007199254740993n); }",
    );
    await start();
    expect(await ask("GET", "/ext-js/tools/size")).toEqual({ status: 200, text: "9007199254740993" });
  });

  it("turn errors into answers: their own status, a statement's code, nothing of the rest", async () => {
    await write(
      "bad",
      `context.get("/status", () => { throw Object.assign(new Error("gone"), { status: 410 }); });
       context.get("/statement", () => context.database.query("RETURN"));
       context.get("/bug", () => { throw new Error("secret"); });`,
    );
    await start();
    expect(await ask("GET", "/ext-js/bad/status")).toMatchObject({
      status: 410,
      text: expect.stringContaining("gone"),
    });
    expect(await ask("GET", "/ext-js/bad/statement")).toMatchObject({
      status: 400,
      text: expect.stringContaining("Graph.ClientError.Statement.InvalidSyntax"),
    });
    const bug = await ask("GET", "/ext-js/bad/bug");
    expect(bug.status).toBe(500);
    expect(bug.text).not.toContain("secret");
    const wrong = await fetch(`${server!.baseUrl}/ext-js/bad/status`, { method: "POST", body: "{" });
    expect(wrong.status).toBe(405);
  });

  it("need credentials like every other path", async () => {
    await write("open", "context.get('/', () => 1);");
    await start({ password: "secret" });
    expect((await ask("GET", "/ext-js/open")).status).toBe(401);
  });

  it("may not take a path that is served", async () => {
    await write("greedy", "context.get('/node/{id}', () => 1);");
    await expect(start({ mounts: [{ packageName: "greedy", mountPath: "/db/data" }] })).rejects.toThrow(
      "the extension greedy cannot be loaded: GET /db/data/node/{id} is served already",
    );
  });

  it("stop the start when register throws, and when a mapped package is missing", async () => {
    await write("broken", "throw new Error('no licence');");
    await expect(start()).rejects.toThrow("the extension broken cannot be loaded: no licence");
    await rm(path.join(plugins, "broken.mjs"));
    await expect(start({ mounts: [{ packageName: "org.none", mountPath: "/x" }] })).rejects.toThrow(
      "does not contain any root resource classes",
    );
  });
});

describe("the database in extension modules", () => {
  it("runs statements with values both ways, and transactions as a whole", async () => {
    await write(
      "people",
      `context.post("/add", async (body) => {
         const { rows } = await context.database.query("CREATE (n:Person {name: $name, age: $age}) RETURN n, 1.0 AS f", body);
         return [rows[0][0].labels, rows[0][0].properties, typeof rows[0][0].properties.age, typeof rows[0][1]];
       });
       context.post("/fail", () => context.database.transaction(async ({ query }) => {
         await query("CREATE (:Person)");
         throw Object.assign(new Error("no"), { status: 409 });
       }));`,
    );
    await start();
    expect((await ask("POST", "/ext-js/people/add", { name: "Ada", age: 36 })).text).toBe(
      '[["Person"],{"name":"Ada","age":36},"bigint","number"]',
    );
    expect((await ask("POST", "/ext-js/people/fail")).status).toBe(409);
    expect((await run("MATCH (n) RETURN count(n)")).results[0]!.data[0]!.row).toEqual([1]);
  });

  it("calls procedures and functions, which come and go at run time", async () => {
    await write(
      "calls",
      `context.post("/define", (body) => context.procedures.define({
         name: "my.rows",
         inputs: [{ name: "factor", type: "INTEGER", nullable: false }],
         outputs: [{ name: "whole", type: "INTEGER" }, { name: "half", type: "FLOAT" }],
         call: ([factor]) => body.map((each) => [each * Number(factor), each]),
       }));
       context.post("/remove", () => context.procedures.remove("my.rows"));
       context.procedures.define({ name: "my.add", mode: "write", call: async (args, { query }) => { await query("CREATE ()"); } });
       context.functions.define({ name: "my.join", inputs: [{ name: "parts", type: "LIST<STRING>" }], outputs: [{ name: "text", type: "STRING" }], call: ([parts]) => parts.join("-") });`,
    );
    await start();
    expect((await run("CALL my.rows(2)")).errors[0]?.code).toContain("ProcedureNotFound");
    expect((await ask("POST", "/ext-js/calls/define", [1, 2])).status).toBe(204);
    const { text } = await ask("POST", "/db/data/transaction/commit", {
      statements: [{ statement: "CALL my.rows(2)" }],
    });
    expect(text).toContain('"data":[{"row":[2,1.0]},{"row":[4,2.0]}]');
    expect((await ask("POST", "/ext-js/calls/remove")).text).toBe("true");
    expect((await run("CALL my.rows(2)")).errors[0]?.code).toContain("ProcedureNotFound");
    await run("CALL my.add()");
    expect((await run("MATCH (n) RETURN count(n), my.join(['a', 'b'])")).results[0]!.data[0]!.row).toEqual([1, "a-b"]);
  });

  it("is left alone by a module that may not have a name", async () => {
    await write("rude", "context.procedures.define({ name: 'db.labels', call: () => [] });");
    await expect(start()).rejects.toThrow("the procedure db.labels exists already");
  });
});

describe("reload", () => {
  it("exchanges all modules, or none of them", async () => {
    await write("one", "context.get('/', () => 1); context.procedures.define({ name: 'one.go', call: () => [] });");
    const { extensions } = await start();
    await write("one", "context.get('/', () => 2);");
    await extensions.load();
    expect((await ask("GET", "/ext-js/one")).text).toBe("2");
    expect((await run("CALL one.go()")).errors[0]?.code).toContain("ProcedureNotFound");
    await write("one", "context.get('/', () => 3); throw new Error('bad day');");
    await expect(extensions.load()).rejects.toThrow("bad day");
    expect((await ask("GET", "/ext-js/one")).text).toBe("2");
    expect(extensions.list()).toEqual([
      { packageName: "one", mounts: ["/ext-js/one"], routes: ["GET /ext-js/one"], procedures: [], functions: [] },
    ]);
  });
});
