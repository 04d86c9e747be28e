import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { System } from "../system/system.ts";

let system: System;

beforeAll(async () => {
  system = await System.start({ only: ["graph"], properties: { "graph.http.log.enabled": "true" } });
});
afterAll(() => system?.stop());

const file = (name: string): string => path.join(system.dataDirectory, name);

/** The status of a statement, and the code of its error if it has one. */
async function ask(user: string, password: string, statement: string): Promise<string> {
  const response = await fetch(`${system.baseUrl("graph")}/db/data/transaction/commit`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
    },
    body: JSON.stringify({ statements: [{ statement }] }),
  });
  const { errors } = (await response.json()) as { errors: { code: string }[] };
  return [response.status, ...errors.map(({ code }) => code.replace("Graph.ClientError.", ""))].join(" ");
}

const REFUSED = "Security.AuthorizationFailed";

describe("trefoil graph user", () => {
  test("makes accounts with roles, changes them and removes them", async () => {
    await writeFile(file("password"), "first password");
    const password = ["--password-file", file("password")];
    await system.trefoil("graph", "user", "create", "ada", "--role", "reader", ...password);
    expect(await system.trefoil("graph", "user", "list")).toEqual(
      expect.arrayContaining([{ name: "ada", role: "reader", passwordChangeRequired: false }]),
    );
    expect(await ask("ada", "first password", "MATCH (n) RETURN count(n)")).toBe("200");
    expect(await ask("ada", "first password", "CREATE (n)")).toBe(`200 ${REFUSED}`);

    await system.trefoil("graph", "user", "role", "ada", "editor");
    expect(await ask("ada", "first password", "CREATE (n)")).toBe("200");
    expect(await ask("ada", "first password", "CREATE (n:NewLabel)")).toBe(`200 ${REFUSED}`);

    await writeFile(file("password"), "second password");
    await system.trefoil("graph", "user", "set-password", "ada", "--change-required", ...password);
    expect(await ask("ada", "first password", "RETURN 1")).toBe(`401 ${REFUSED}`);
    expect(await ask("ada", "second password", "RETURN 1")).toBe(`403 ${REFUSED}`);

    await system.trefoil("graph", "user", "delete", "ada");
    expect(await ask("ada", "second password", "RETURN 1")).toBe(`401 ${REFUSED}`);
    await expect(system.trefoil("graph", "user", "delete", "neo4j")).rejects.toThrow("last administrator");
  });
});

test("trefoil graph import-auth takes over the accounts of a 2.x installation", async () => {
  const salt = Buffer.from("0123456789abcdef0123456789abcdef", "hex");
  const hash = createHash("sha256").update(salt).update("old password").digest("hex").toUpperCase();
  const line = (name: string, flags: string): string =>
    `${name}:SHA-256,${hash},${salt.toString("hex").toUpperCase()}:${flags}\n`;
  await writeFile(file("auth"), line("veteran", "") + line("newcomer", "password_change_required"));
  await system.trefoil("graph", "import-auth", file("auth"));
  expect(await ask("veteran", "old password", "RETURN 1")).toBe("200");
  expect(await ask("newcomer", "old password", "RETURN 1")).toBe(`403 ${REFUSED}`);
  await writeFile(file("auth"), "veteran:MD5,00,00:\n");
  await expect(system.trefoil("graph", "import-auth", file("auth"))).rejects.toThrow("line 1");
});

test("the access log has a line per request in the common format", async () => {
  await ask("neo4j", "correct horse", "RETURN 1");
  const log = (): Promise<string> => readFile(file("logs/graph-access.log"), "utf8").catch(() => "");
  const line =
    /^127\.0\.0\.1 - neo4j \[\d\d\/\w{3}\/\d{4}:[\d:]{8} \+0000\] "POST \/db\/data\/transaction\/commit HTTP\/1\.1" 200 \d+$/m;
  await expect.poll(log, { timeout: 5_000 }).toMatch(line);
});
