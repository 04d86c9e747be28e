import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  DateValue,
  float,
  type Graph,
  type GraphParameter,
  type Isolation,
  Node,
  openGraph,
  Path,
  Relationship,
  RetryableError,
  StartError,
  textOf,
} from "./index.ts";

let folder: string;
let graph: Graph;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-library-"));
  graph = await openGraph(path.join(folder, "graph"));
});
afterEach(async () => {
  await graph.close();
  await rm(folder, { recursive: true });
});

describe("a graph in a folder", () => {
  test("keeps what was written, and belongs to one opener at a time", async () => {
    await graph.query("CREATE (:Person {name: $name})", { name: "Ada" });
    await expect(openGraph(path.join(folder, "graph"))).rejects.toBeInstanceOf(StartError);
    await graph.close();
    graph = await openGraph(path.join(folder, "graph"));
    const { rows, columns } = await graph.query("MATCH (p:Person) RETURN p.name AS name");
    expect([columns, rows]).toEqual([["name"], [{ name: "Ada" }]]);
    expect(await graph.check()).toEqual([]);
  });

  test("answers others while relationships are read for the first time", async () => {
    await graph.query("UNWIND range(1, 50) AS id CREATE (:Person {id: id})-[:KNOWS]->(:Person {id: -id})");
    await graph.checkpoint();
    await graph.close();
    graph = await openGraph(path.join(folder, "graph"));
    const order: string[] = [];
    const asked = async (name: string, text: string): Promise<unknown> => {
      const { rows } = await graph.query(text);
      order.push(name);
      return rows[0];
    };
    const answers = await Promise.all([
      asked("first of relationships", "MATCH (:Person)-[:KNOWS]->(p) RETURN min(p.id) AS least"),
      asked("lookup", "MATCH (p:Person {id: 7}) RETURN count(p) AS people"),
      asked("types", "MATCH ()-[r:KNOWS]->() RETURN count(r) AS relationships"),
    ]);
    expect(answers).toEqual([{ least: -50 }, { people: 1 }, { relationships: 50 }]);
    expect(order[0]).toBe("lookup");
    expect(order).toContain("first of relationships");
  });

  test("is backed up while it is open, and filled from files", async () => {
    const file = path.join(folder, "people.csv");
    await writeFile(file, "id:ID,name\n1,Ada\n2,Bob\n");
    expect(await graph.importCsv({ nodeFiles: [file], relationshipFiles: [], labels: ["Person"] })).toMatchObject({
      nodes: 2,
    });
    await graph.checkpoint();
    await graph.backup(path.join(folder, "backup"));
    expect((await graph.query("MATCH (p:Person) RETURN count(p) AS people")).rows).toEqual([{ people: 2 }]);
  });
});

describe("values", () => {
  test.each([
    ["null", null],
    ["true", true],
    ["1", 1],
    ["9007199254740993", 9007199254740993n],
    ["1.0", 1],
    ["1.5", 1.5],
    ["'text'", "text"],
    ["[1, [2, null]]", [1, [2, null]]],
    ["{a: {b: [1]}}", { a: { b: [1] } }],
    ["date('2020-02-29')", new DateValue(18321)],
  ])("%s is what JavaScript has for it, and comes back when it is handed in", async (text, expected) => {
    const { rows } = await graph.query(`RETURN ${text} AS value`);
    expect(rows).toEqual([{ value: expected }]);
    const again = await graph.query("RETURN $value AS value, $value = $value AS same", { value: rows[0]!["value"] });
    expect(again.rows[0]!["value"]).toEqual(expected);
  });

  test("nodes, relationships and paths are as they were when read, and good as parameters", async () => {
    const created = await graph.query("CREATE p = (a:A:B {x: 1})-[r:R {y: [1, 2]}]->(b) RETURN a, r, p");
    const { a, r, p } = created.rows[0]!;
    expect(a).toEqual(new Node(0, ["A", "B"], { x: 1 }));
    expect(r).toEqual(new Relationship(0, "R", 0, 1, { y: [1, 2] }));
    expect(p).toEqual(new Path([a as Node, new Node(1, [], {})], [r as Relationship]));
    expect(created.counts).toMatchObject({ nodesCreated: 2, relationshipsCreated: 1, propertiesSet: 2 });
    const { rows } = await graph.query("MATCH (a)-[r]->(b) WHERE a = $a RETURN r = $r AS same, b", { a: a!, r: r! });
    expect(rows).toEqual([{ same: true, b: new Node(1, [], {}) }]);
  });

  test("a FLOAT that is whole, a Date, undefined, a Map", async () => {
    const text = "RETURN toString($f) AS f, toString($d) AS d, $u IS NULL AS u, $m.k AS m";
    const { rows } = await graph.query(text, {
      f: float(2),
      d: new Date("2020-01-01T12:30:00.250Z"),
      u: undefined,
      m: new Map([["k", 1]]),
    });
    expect(rows).toEqual([{ f: "2.0", d: "2020-01-01T12:30:00.25Z", u: true, m: 1 }]);
    expect(textOf(new DateValue(0))).toBe("1970-01-01");
    await expect(graph.query("RETURN $x", { x: 2n ** 70n })).rejects.toThrow("the parameter x");
    await expect(graph.query("RETURN $x", { x: (() => 1) as never })).rejects.toThrow("no value of the language");
  });

  test("columns and keys of any name", async () => {
    const { rows } = await graph.query("RETURN 1 AS `__proto__`, {`__proto__`: 2} AS `a b`");
    expect(Object.entries(rows[0]!)).toEqual([
      ["__proto__", 1],
      ["a b", JSON.parse('{"__proto__":2}')],
    ]);
  });
});

describe("transactions", () => {
  test("happen together or not at all", async () => {
    const failing = graph.transaction(async (transaction) => {
      await transaction.query("CREATE (:A)");
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await graph.transaction(async (transaction) => (await transaction.query("CREATE (:A)")).rows)).toEqual([]);
    const open = graph.begin();
    await open.query("CREATE (:A)");
    open.rollback();
    await expect(open.query("RETURN 1")).rejects.toThrow("ended");
    expect((await graph.query("MATCH (a:A) RETURN count(a) AS count")).rows).toEqual([{ count: 1 }]);
  });

  test("that another one was in the way of are done again, as often as asked for", async () => {
    await graph.query("CREATE (:Counter {name: 'n', value: 0})");
    const increase = (attempts: number): Promise<unknown> =>
      graph.transaction(
        async (transaction) => {
          const { rows } = await transaction.query("MATCH (c:Counter) RETURN c.value AS value");
          await transaction.query("MATCH (c:Counter) SET c.value = $next", { next: Number(rows[0]!["value"]) + 1 });
        },
        { isolation: "serializable", attempts },
      );
    const once = await Promise.allSettled([increase(1), increase(1), increase(1)]);
    const refused = once.filter((outcome) => outcome.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    refused.forEach(({ reason }) => expect(reason).toBeInstanceOf(RetryableError));
    await Promise.all(Array.from({ length: 5 }, () => increase(50)));
    const { rows } = await graph.query("MATCH (c:Counter) RETURN c.value AS value");
    expect(rows).toEqual([{ value: 3 - refused.length + 5 }]);
  });

  test("see one state at snapshot", async () => {
    const snapshot = graph.begin({ isolation: "snapshot" });
    await graph.query("CREATE (:A)");
    expect((await snapshot.query("MATCH (a:A) RETURN a")).rows).toEqual([]);
    expect(snapshot.isolation).toBe("snapshot");
    await snapshot.commit();
  });
});

describe("streams", () => {
  test("make rows as they are asked for", async () => {
    const stream = await graph.stream("UNWIND range(1, 1000000) AS x RETURN x");
    let sum = 0;
    for await (const { x } of stream) {
      sum += x as number;
      if (x === 10) {
        break;
      }
    }
    expect(sum).toBe(55);
    expect(stream.columns).toEqual(["x"]);
  });

  test("that are given up leave nothing, those that are read to the end are committed", async () => {
    for await (const row of await graph.stream("UNWIND range(1, 5000) AS x CREATE (a:A) RETURN x")) {
      expect(row).toEqual({ x: 1 });
      break;
    }
    (await graph.stream("CREATE (a:A) RETURN a")).close();
    expect((await graph.query("MATCH (a:A) RETURN count(a) AS count")).rows).toEqual([{ count: 0 }]);
    const stream = await graph.stream("UNWIND range(1, 3) AS x CREATE (a:A) RETURN x");
    for await (const row of stream) {
      expect(row).toHaveProperty("x");
    }
    expect(stream.counts.nodesCreated).toBe(3);
    expect((await graph.query("MATCH (a:A) RETURN count(a) AS count")).rows).toEqual([{ count: 3 }]);
  });

  test("stop when they are aborted, or out of time", async () => {
    const endless = "UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y RETURN count(x + y)";
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    const refusal = { code: "TransientError.Transaction.Terminated" };
    await expect(graph.query(endless, {}, { signal: abort.signal })).rejects.toMatchObject(refusal);
    await expect(graph.query(endless, {}, { timeoutMs: 20 })).rejects.toMatchObject(refusal);
  });
});

describe("code of one's own", () => {
  test("procedures run in the transaction of their caller", async () => {
    graph.procedures.define({
      name: "my.people",
      mode: "write",
      inputs: [
        { name: "names", type: "LIST<STRING>" },
        { name: "age", type: "INTEGER", default: 7 },
      ],
      outputs: [{ name: "person", type: "NODE" }],
      call: async ([names, age], transaction) => {
        const text = "UNWIND $names AS name CREATE (p:Person {name: name, age: $age}) RETURN p";
        const { rows } = await transaction.query(text, { names: names!, age: age! });
        return rows.map(({ p }) => [p]);
      },
    });
    const open = graph.begin();
    const { rows } = await open.query(
      "CALL my.people(['Ada', 'Bob']) YIELD person RETURN person.name + person.age AS t",
    );
    expect(rows.map(({ t }) => t)).toEqual(["Ada7", "Bob7"]);
    open.rollback();
    expect((await graph.query("MATCH (p:Person) RETURN p")).rows).toEqual([]);
    expect(graph.procedures.remove("my.people")).toBe(true);
    await expect(graph.query("CALL my.people([])")).rejects.toThrow("my.people");
  });

  test("functions", async () => {
    graph.functions.define({
      name: "my.initials",
      parameters: [{ name: "text", type: "string" }],
      returns: "string",
      call: (text) => (typeof text === "string" ? text.replace(/(\w)\w*\s*/g, "$1") : null),
    });
    const { rows } = await graph.query("RETURN my.initials('Ada King Lovelace') AS a, my.initials(null) AS b");
    expect(rows).toEqual([{ a: "AKL", b: null }]);
  });
});

test("a graph in memory, in the language of 2.3, with limits", async () => {
  const memory = await openGraph(undefined, { mode: "2.3", transactionMemoryBytes: 100_000 });
  expect((await memory.query("RETURN {p} + 1 AS n", { p: 1 })).rows).toEqual([{ n: 2 }]);
  await expect(memory.query("UNWIND range(1, 10000) AS x CREATE ()")).rejects.toBeInstanceOf(RetryableError);
  await memory.close();
});

test.each([
  [new Set([1]), "Set"],
  [Buffer.from("a"), "Uint8Array"],
  [[{ deep: new Error("b") }], "Error"],
  [Object(5), "Number"],
])("what is no value of the language is refused, not taken for an empty map: %j", async (value, name) => {
  const refused = graph.query("RETURN $value AS value", { value: value as GraphParameter });
  await expect(refused).rejects.toThrow(new TypeError(`the parameter value: ${name} is no value of the language`));
});

test("a place of a list where nothing is holds null", async () => {
  const list = [1];
  list[2] = 3;
  const { rows } = await graph.query("RETURN $list AS list, size($list) AS size, $list[1] IS NULL AS empty", { list });
  expect(rows).toEqual([{ list: [1, null, 3], size: 3, empty: true }]);
});

test("levels of isolation that there are not, and paths that are no folder, are refused", async () => {
  expect(() => graph.begin({ isolation: "dirty" as Isolation })).toThrow(TypeError);
  await writeFile(path.join(folder, "file"), "");
  await expect(openGraph(path.join(folder, "file"))).rejects.toMatchObject({ name: "StartError", code: "store" });
});

test("closing ends statements that are running, with an error that says so", async () => {
  await graph.query("UNWIND range(1, 1000) AS i CREATE (:N)");
  const rows = await graph.stream("MATCH (a:N), (b:N) RETURN id(a) AS a, id(b) AS b");
  const read = (async () => {
    for await (const row of rows) {
      expect(row).toBeDefined();
    }
  })();
  const ended = expect(read).rejects.toMatchObject({
    name: "StoreConflictError",
    code: "TransientError.General.DatabaseUnavailable",
    message: "The store was closed.",
  });
  await graph.close();
  await ended;
});

test("the language's errors say where", async () => {
  await expect(graph.query("RETURN\n  nothing")).rejects.toMatchObject({
    code: "ClientError.Statement.InvalidSyntax",
    position: { line: 2, column: 3 },
  });
});

test("the name others have for memory makes no folder", async () => {
  const inMemory = await openGraph(":memory:");
  await inMemory.query("CREATE (:Person)");
  await inMemory.close();
  await expect(access(":memory:")).rejects.toThrow("ENOENT");
});
