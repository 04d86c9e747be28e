import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";
import { ROLES, type Role } from "./roles.ts";

let server: TestInterface;

beforeEach(async () => {
  server = await startTestInterface({ password: "secret" });
  await Promise.all(
    ROLES.map((role) => server.accounts!.create({ name: role, role, passwordChangeRequired: false }, role)),
  );
  await run("admin", "CREATE (:Known {known: 1})-[:KNOWS]->(:Known)");
}, 30_000);

afterEach(() => server.close());

const authorization = (name: string, password = name): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

async function ask(
  name: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(server.baseUrl + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { authorization: authorization(name), "content-type": "application/json" },
  });
  return { status: answer.status, text: await answer.text() };
}

async function run(name: string, statement: string): Promise<{ code?: string; message?: string }> {
  const { text } = await ask(name, "POST", "/db/data/transaction/commit", { statements: [{ statement }] });
  return (JSON.parse(text) as { errors: { code: string; message: string }[] }).errors[0] ?? {};
}

const STATEMENTS: readonly (readonly [needed: Role, statement: string])[] = [
  ["reader", "MATCH (n:Known) RETURN count(n)"],
  ["editor", "CREATE (:Known {known: 2})"],
  ["editor", "MATCH (n:Known) SET n.known = 3"],
  ["editor", "MATCH (n:Known)-[r]->() DELETE r"],
  ["editor", "MERGE (:Known {known: 9})"],
  ["publisher", "CREATE (:New)"],
  ["publisher", "MATCH (n:Known) SET n.fresh = 1"],
  ["publisher", "MATCH (n:Known) CREATE (n)-[:FRESH]->(n)"],
  ["architect", "CREATE INDEX ON :Known(known)"],
  ["architect", "CREATE CONSTRAINT ON (n:Other) ASSERT n.known IS UNIQUE"],
];

describe("roles", () => {
  it.each(STATEMENTS)("%s and above may: %s", async (needed, statement) => {
    for (const role of ROLES) {
      const { code } = await run(role, statement);
      const isAllowed = ROLES.indexOf(role) >= ROLES.indexOf(needed);
      expect(code, role).toBe(isAllowed ? undefined : "Graph.ClientError.Security.AuthorizationFailed");
      if (isAllowed) {
        return;
      }
    }
  });

  it("hold for REST calls, batches and legacy statements too", async () => {
    const refused = { status: 403, text: expect.stringContaining("Security.AuthorizationFailed") };
    expect(await ask("reader", "POST", "/db/data/node", { known: 1 })).toMatchObject(refused);
    expect(await ask("editor", "POST", "/db/data/node", { unheard: 1 })).toMatchObject(refused);
    expect((await ask("editor", "POST", "/db/data/node", { known: 1 })).status).toBe(201);
    expect(await ask("publisher", "POST", "/db/data/schema/index/Known", { property_keys: ["known"] })).toMatchObject(
      refused,
    );
    expect(await ask("reader", "POST", "/db/data/index/node", { name: "i" })).toMatchObject(refused);
    const batch = await ask("reader", "POST", "/db/data/batch", [{ method: "POST", to: "/node", body: {} }]);
    expect(batch.status).toBe(500);
    const legacy = await ask("reader", "POST", "/db/data/cypher", { query: "CREATE (:Known)" });
    expect(legacy).toMatchObject({ status: 400, text: expect.stringContaining("Security.AuthorizationFailed") });
  });

  it("keep everyone out of other people's transactions", async () => {
    const begun = await ask("editor", "POST", "/db/data/transaction", { statements: [] });
    const id = /transaction\/(\d+)\/commit/.exec(begun.text)![1];
    for (const [method, path] of [
      ["POST", `/db/data/transaction/${id}`],
      ["POST", `/db/data/transaction/${id}/commit`],
      ["DELETE", `/db/data/transaction/${id}`],
    ] as const) {
      expect(await ask("publisher", method, path)).toMatchObject({
        status: 404,
        text: expect.stringContaining("UnknownId"),
      });
    }
    const rows = async (name: string, statement: string): Promise<unknown> => {
      const answer = await ask(name, "POST", "/db/data/transaction/commit", { statements: [{ statement }] });
      return (JSON.parse(answer.text) as { results: { data: { row: unknown }[] }[] }).results[0]!.data.map(
        ({ row }) => row,
      );
    };
    const others = `SHOW TRANSACTIONS YIELD username, status WHERE status = 'Idle' RETURN username`;
    expect(await rows("reader", others)).toEqual([]);
    expect(await rows("editor", others)).toEqual([["editor"]]);
    expect(await rows("admin", others)).toEqual([["editor"]]);
    expect(await rows("reader", `TERMINATE TRANSACTION '${id}'`)).toEqual([[id, null, "Transaction not found."]]);
    expect((await ask("reader", "GET", "/db/manage/server/transactions")).status).toBe(403);
    const listed = JSON.parse((await ask("admin", "GET", "/db/manage/server/transactions")).text) as object;
    expect(listed).toMatchObject({ transactions: [{ id: Number(id), user: "editor", state: "idle" }] });
    expect((await ask("admin", "DELETE", `/db/manage/server/transactions/${id}`)).status).toBe(204);
    expect((await ask("editor", "POST", `/db/data/transaction/${id}/commit`)).status).toBe(404);
  });
});

describe("user management", () => {
  const manage = async (method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> => {
    const answer = await fetch(`${server.baseUrl}/management/users${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { "x-owner": "yes", "content-type": "application/json" },
    });
    return { status: answer.status, json: await answer.json() };
  };

  it("makes, changes and removes accounts, but never the last administrator", async () => {
    expect((await manage("POST", "", { name: "ann", role: "reader", password: "x" })).status).toBe(200);
    expect((await manage("POST", "", { name: "ann", role: "reader", password: "x" })).status).toBe(409);
    expect((await manage("POST", "", { name: "a:b", role: "reader", password: "x" })).status).toBe(409);
    expect((await manage("POST", "", { name: "bob", role: "king", password: "x" })).status).toBe(409);
    expect((await manage("PUT", "/ann/role", { role: "editor" })).status).toBe(200);
    expect((await manage("PUT", "/ann/password", { password: "ann" })).status).toBe(200);
    expect(await run("ann", "CREATE (:Known)")).toEqual({});
    expect((await manage("DELETE", "/ann")).status).toBe(200);
    expect((await ask("ann", "GET", "/db/data/")).status).toBe(401);
    expect((await manage("DELETE", "/admin")).status).toBe(200);
    expect((await manage("DELETE", "/neo4j")).json).toMatchObject({
      errors: [{ message: "neo4j is the last administrator" }],
    });
  });

  it("is for the owner of the data folder alone", async () => {
    expect((await ask("admin", "GET", "/management/users")).status).toBe(401);
  });

  it("imports accounts of a 2.x installation, whose passwords then get a slow hash", async () => {
    const salt = Buffer.from("0123456789abcdef0123456789abcdef", "hex");
    const hash = createHash("sha256").update(salt).update("old").digest("hex").toUpperCase();
    const text = `old:SHA-256,${hash},${salt.toString("hex")}:\n`;
    expect((await manage("POST", "/import", { text })).json).toEqual({ imported: ["old"] });
    expect(await run("old", "CREATE (:Known)")).toEqual({});
    expect((await manage("POST", "/import", { text: "old:MD5,00,00:" })).status).toBe(409);
    expect(await server.accounts!.isPassword("old", "old")).toBe(true);
    expect(await server.accounts!.isPassword("old", "new")).toBe(false);
  });
});

describe("the access log", () => {
  it("has a line per request in the common format, whatever a client sends", async () => {
    await ask("reader", "GET", '/db/data/labels?x="\\');
    const line = await vi.waitUntil(() => server.accessLog.find((each) => each.includes("labels")));
    expect(line).toMatch(
      /^127\.0\.0\.1 - reader \[20\/Nov\/2015:12:02:25 \+0000\] "GET \/db\/data\/labels\?x=%22\\x5c HTTP\/1\.1" 200 \d+\n$/,
    );
  });
});
