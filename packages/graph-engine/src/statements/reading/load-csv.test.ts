import { systemClock } from "@trefoil/base";
import { openGraphStore } from "@trefoil/graph-store";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoadCsvPolicy } from "../../load-csv/csv-resource.ts";
import { createEngine, type ExecuteOptions } from "../../session.ts";

let folder: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-csv-"));
  await mkdir(path.join(folder, "root"));
  await writeFile(path.join(folder, "secret.csv"), "password\n");
  await writeFile(path.join(folder, "root", "a.csv"), "name,age\nAda,36\nBob,\n");
  await writeFile(path.join(folder, "root", "semicolon.csv"), "1;2,5\n");
  await writeFile(path.join(folder, "root", "numbers.csv"), "1\n2\n3\n4\n5\n");
  await writeFile(path.join(folder, "root", "packed.csv.gz"), gzipSync("x,y\n1,2\n"));
  await writeFile(path.join(folder, "root", "packed.csv.z"), deflateSync("x,y\n1,2\n"));
  await writeFile(path.join(folder, "root", "broken.csv.gz"), gzipSync("x,y\n1,2\n").subarray(0, 15));
  await symlink(path.join(folder, "secret.csv"), path.join(folder, "root", "link.csv"));
  server = createServer((request, response) => {
    switch (request.url) {
      case "/a.csv":
        response.end("a,b\n1,2\n");
        break;
      case "/moved.csv":
        response.writeHead(302, { location: "/a.csv" }).end();
        break;
      case "/to-file.csv":
        response.writeHead(302, { location: pathToFileURL(path.join(folder, "secret.csv")).href }).end();
        break;
      case "/circle.csv":
        response.writeHead(302, { location: "/circle.csv" }).end();
        break;
      default:
        response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

async function open(urls: LoadCsvPolicy["urls"]): Promise<{
  run: (text: string, options?: ExecuteOptions) => Promise<unknown[][]>;
}> {
  const store = await openGraphStore({ clock: systemClock });
  const engine = createEngine({ store, clock: systemClock, loadCsv: { urls, root: path.join(folder, "root") } });
  return {
    run: async (text, options) => {
      const transaction = store.begin();
      try {
        const result = await engine.execute(transaction, text, new Map(), options);
        const rows: unknown[][] = [];
        for await (const batch of result.rows) {
          rows.push(...batch.map((row) => [...row]));
        }
        await transaction.commit();
        return rows;
      } finally {
        transaction.rollback();
      }
    },
  };
}

describe("LOAD CSV", () => {
  it("gives rows as lists, with headers as maps, null for what is missing", async () => {
    const { run } = await open("root");
    expect(await run("LOAD CSV FROM 'file:///a.csv' AS row RETURN row[0], row[1]")).toEqual([
      ["name", "age"],
      ["Ada", "36"],
      ["Bob", null],
    ]);
    expect(
      await run("LOAD CSV WITH HEADERS FROM 'file:///a.csv' AS row RETURN row.name, toInteger(row.age), row.x"),
    ).toEqual([
      ["Ada", 36, null],
      ["Bob", null, null],
    ]);
  });

  it("takes another field terminator, of one character", async () => {
    const { run } = await open("root");
    const [[row]] = (await run("LOAD CSV FROM 'file:///semicolon.csv' AS row FIELDTERMINATOR ';' RETURN row")) as [
      [unknown],
    ];
    expect(row).toEqual(["1", "2,5"]);
    await expect(run("LOAD CSV FROM 'file:///a.csv' AS row FIELDTERMINATOR ';;' RETURN row")).rejects.toThrow(
      "can only be one character wide",
    );
  });

  it.each(["packed.csv.gz", "packed.csv.z"])("unpacks %s", async (name) => {
    const { run } = await open("root");
    expect(await run(`LOAD CSV FROM 'file:///${name}' AS row RETURN row[1]`)).toEqual([["y"], ["2"]]);
  });

  it("fails on packed content that breaks off", async () => {
    const { run } = await open("root");
    await expect(run("LOAD CSV FROM 'file:///broken.csv.gz' AS row RETURN row")).rejects.toThrow(
      "Couldn't load the external resource at",
    );
  });

  it("runs once for every row before it, and closes early", async () => {
    const { run } = await open("root");
    expect(
      await run("UNWIND [1, 2] AS i LOAD CSV FROM 'file:///numbers.csv' AS row RETURN i, count(row) ORDER BY i"),
    ).toEqual([
      [1, 5],
      [2, 5],
    ]);
    expect(await run("LOAD CSV FROM 'file:///numbers.csv' AS row RETURN row[0] LIMIT 1")).toEqual([["1"]]);
  });

  it.each(["file:///../secret.csv", "file:///link.csv", "file:///%2e%2e/secret.csv"])(
    "does not leave its root by %s",
    async (url) => {
      const { run } = await open("root");
      await expect(run(`LOAD CSV FROM '${url}' AS row RETURN row`)).rejects.toMatchObject({
        code: "TransientError.Statement.ExternalResourceFailure",
      });
    },
  );

  it("reads nothing, files, or the network as it is allowed", async () => {
    const outside = pathToFileURL(path.join(folder, "secret.csv")).href;
    const load = (url: string): string => `LOAD CSV FROM '${url}' AS row RETURN row[0]`;
    const none = await open("none");
    await expect(none.run(load(outside))).rejects.toThrow("configuration property 'graph.load_csv.urls' is none");
    const file = await open("file");
    expect(await file.run(load(outside))).toEqual([["password"]]);
    await expect(file.run(load(`${origin}/a.csv`))).rejects.toThrow("'graph.load_csv.urls' is file");
    const any = await open("any");
    expect(await any.run(load(`${origin}/a.csv`))).toEqual([["a"], ["1"]]);
    expect(await any.run(load(`${origin}/moved.csv`))).toEqual([["a"], ["1"]]);
  });

  it.each(["/nothing.csv", "/to-file.csv", "/circle.csv"])("fails on %s", async (url) => {
    const { run } = await open("any");
    await expect(run(`LOAD CSV FROM '${origin}${url}' AS row RETURN row`)).rejects.toThrow(
      `Couldn't load the external resource at: ${origin}${url}`,
    );
  });

  it.each([
    ["file:no/such.csv", "Couldn't load the external resource at: file:no/such.csv"],
    ["FILE:///no%20such.csv", "Couldn't load the external resource at: file:/no%20such.csv"],
    ["file:///", "/ (Is a directory)"],
    ["http://", "Couldn't load the external resource at: http:"],
    ["ftp://127.0.0.1:1/x", "Couldn't load the external resource at: ftp://127.0.0.1:1/x"],
    ["mailto:a@b", "loading resources via protocol 'mailto' is not permitted"],
  ])("says what is wrong with %s", async (url, message) => {
    const { run } = await open("any");
    await expect(run(`LOAD CSV FROM '${url}' AS row RETURN row`)).rejects.toThrow(message);
  });

  it("calls a column without a name null", async () => {
    await writeFile(path.join(folder, "root", "nameless.csv"), "a,,b\n1,2,3\n");
    const { run } = await open("root");
    expect(await run("LOAD CSV WITH HEADERS FROM 'file:///nameless.csv' AS row RETURN row['null'], row.b")).toEqual([
      ["2", "3"],
    ]);
  });

  it.each([
    ["'nope'", "Invalid URL 'nope': no protocol: nope"],
    ["'foo://x/y'", "Invalid URL 'foo://x/y': unknown protocol: foo"],
    ["null", "Invalid URL 'null': null"],
    ["'file:///no/such.csv'", "Couldn't load the external resource at: file:/no/such.csv"],
    ["1", "Type mismatch: expected String but was Integer"],
  ])("refuses %s", async (url, message) => {
    const { run } = await open("root");
    await expect(run(`LOAD CSV FROM ${url} AS row RETURN row`)).rejects.toThrow(message);
  });
});

describe("USING PERIODIC COMMIT", () => {
  const load =
    "USING PERIODIC COMMIT 2 LOAD CSV FROM 'file:///numbers.csv' AS row CREATE (:N {v: 10 / (4 - toInteger(row[0]))})";

  it("keeps what was committed before a failure", async () => {
    const { run } = await open("root");
    await expect(run(load, { periodicCommit: true })).rejects.toThrow("/ by zero");
    expect(await run("MATCH (n:N) RETURN n.v ORDER BY n.v")).toEqual([[3], [5]]);
  });

  it("sees what it committed itself", async () => {
    const { run } = await open("root");
    const text =
      "USING PERIODIC COMMIT 1 LOAD CSV FROM 'file:///numbers.csv' AS row MERGE (n:M {odd: toInteger(row[0]) % 2})";
    await run(text, { periodicCommit: true });
    expect(await run("MATCH (n:M) RETURN count(n)")).toEqual([[2]]);
  });

  it("is refused in a transaction of others, and in a size below one", async () => {
    const { run } = await open("root");
    await expect(run(load)).rejects.toMatchObject({ code: "ClientError.Statement.InvalidSemantics" });
    await expect(run(load.replace("COMMIT 2", "COMMIT 0"), { periodicCommit: true })).rejects.toThrow(
      "expected positive value larger than zero, got 0",
    );
  });
});
