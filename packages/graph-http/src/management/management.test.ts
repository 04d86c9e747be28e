import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";
import { parseObjectName } from "./object-name.ts";

let server: TestInterface;

beforeAll(async () => {
  server = await startTestInterface();
});

afterAll(() => server.close());

async function ask(path: string, body?: unknown): Promise<{ status: number; json: unknown; text: string }> {
  const answer = await fetch(`${server.baseUrl}/db/manage/server/${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
}

describe("the console", () => {
  it("answers a statement as a table and its changes as text", async () => {
    const { json } = await ask("console", { command: "CREATE (n {a: 1}) RETURN n.a AS a;", engine: "shell" });
    expect(json).toEqual([
      "+---+\n| a |\n+---+\n| 1 |\n+---+\n1 row\nnodes created: 1\nproperties set: 1\n",
      "neo4j-sh (?)$ ",
    ]);
    expect((await ask("console", { command: "", engine: "shell" })).json).toEqual(["", "neo4j-sh (?)$ "]);
  });

  it("answers what is wrong with a statement as text, and refuses other engines", async () => {
    const [output] = (await ask("console", { command: "RETURN x", engine: "shell" })).json as string[];
    expect(output).toContain("`x` not defined");
    expect((await ask("console", { command: "GET /", engine: "http" })).status).toBe(400);
  });
});

describe("management beans", () => {
  it("are found by query and by name", async () => {
    const all = (await ask("jmx/query", ["org.neo4j:*"])).json as { name: string; url: string }[];
    expect(all.map(({ name }) => name)).toContain("org.neo4j:instance=kernel#0,name=Primitive count");
    const [bean] = (
      await ask("jmx/domain/org.neo4j/instance%3Dkernel%230%2Cname%3DPrimitive+count".replace("+", "%20"))
    ).json as { attributes: { name: string; value: number }[] }[];
    expect(bean?.attributes.find(({ name }) => name === "NumberOfNodeIdsInUse")?.value).toBe(1);
    expect((await ask("jmx/query", ["bad"])).status).toBe(400);
  });
});

describe("parseObjectName", () => {
  it.each([
    ["org.neo4j:*", true],
    ["*:*", true],
    ["org.neo4j:instance=kernel#0,name=*", true],
    ["org.neo4j:name=K?rnel,*", true],
    ["org.neo4j:name=Kernel", false],
    ["other:*", false],
  ])("%s", (pattern, matches) => {
    const parsed = parseObjectName(pattern);
    expect(parsed.kind === "pattern" && parsed.matches("org.neo4j:instance=kernel#0,name=Kernel")).toBe(matches);
  });
});
