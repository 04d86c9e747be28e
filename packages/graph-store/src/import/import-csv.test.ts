import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "@trefoil/base";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openGraphStore } from "../graph-store.ts";
import { dumpView, type GraphDump } from "../testing/graph-dump.ts";
import { type GraphStore } from "../graph-store.ts";

let folder: string;
let directory: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-import-"));
  directory = path.join(folder, "store");
});
afterEach(() => rm(folder, { recursive: true }));

async function file(name: string, ...lines: string[]): Promise<string> {
  const full = path.join(folder, name);
  await writeFile(full, lines.join("\n"));
  return full;
}

function dump(store: GraphStore): GraphDump {
  const transaction = store.begin();
  const result = dumpView(transaction.openView());
  transaction.rollback();
  return result;
}

/** Nodes with their labels and properties by name, in id order. */
function named(store: GraphStore): unknown {
  const { labels, relationshipTypes, propertyKeys } = store.tokens;
  const { nodes, relationships } = dump(store);
  const plain = (properties: Record<string, string>): unknown =>
    Object.fromEntries(Object.entries(properties).map(([key, value]) => [propertyKeys.nameOf(Number(key)), value]));
  return {
    nodes: Object.values(nodes).map((node) => ({
      labels: node.labels.map((label) => labels.nameOf(label)),
      ...(plain(node.properties) as object),
    })),
    relationships: Object.values(relationships).map(({ ends: [start, type, end], properties }) => [
      start,
      relationshipTypes.nameOf(type),
      end,
      plain(properties),
    ]),
  };
}

describe("import of CSV files", () => {
  test("reads typed headers, quotes, lists and labels, and keeps the result", async () => {
    const people = await file(
      "people.csv",
      "\ufeffid:ID,name,age:int,score:float,tags:string[],:LABEL,note:IGNORE",
      'a,"Ada, ""the"" first\nof them",36,1,x;y,Person;Admin,-',
      "",
      'b,"",,-2.5e3,,Person,-\r',
      "c,Cleo,9223372036854775807,,,,-",
    );
    const knows = await file("knows.csv", ":START_ID,:END_ID,:TYPE,since:int", "a,b,KNOWS,1999", "b,b,LIKES,");
    const store = await openGraphStore({ directory, clock: systemClock });
    const seen: string[] = [];
    const report = await store.importCsv({
      nodeFiles: [people],
      relationshipFiles: [knows],
      onProgress: ({ phase, bytesRead, bytesTotal }) => seen.push(`${phase} ${bytesRead === bytesTotal}`),
    });
    expect(report).toMatchObject({ nodes: 3, relationships: 2, badLines: 0 });
    expect(seen.at(-1)).toBe("saving true");
    const expected = {
      nodes: [
        {
          labels: ["Person", "Admin"],
          id: '"a"',
          name: String.raw`"Ada, \"the\" first\nof them"`,
          age: "36",
          score: '"float 1"',
          tags: '["x","y"]',
        },
        { labels: ["Person"], id: '"b"', name: '""', score: '"float -2500"' },
        { labels: [], id: '"c"', name: '"Cleo"', age: '"int 9223372036854775807"' },
      ],
      relationships: [
        [0, "KNOWS", 1, { since: "1999" }],
        [1, "LIKES", 1, {}],
      ],
    };
    expect(named(store)).toEqual(expected);
    expect(store.statistics.relationshipsAtLabel(0, 0, "out")).toBe(1);
    const transaction = store.begin();
    transaction.createNode([]);
    await transaction.commit();
    const after = dump(store);
    await store.close();
    const reopened = await openGraphStore({ directory, clock: systemClock });
    expect(dump(reopened)).toEqual(after);
    await reopened.close();
  });

  test("reads plain headers, and adds to what is there", async () => {
    const nodes = await file("nodes.csv", "id,name,age,zip", "1,Ada,36,01234", "2,Bob,4.5,true");
    const edges = await file("edges.csv", "source,target,weight", "1,2,7", "2,1,8");
    const store = await openGraphStore({ directory, clock: systemClock });
    const first = store.begin();
    first.createNode([first.labelId("Old")]);
    await first.commit();
    await store.importCsv({ nodeFiles: [nodes], relationshipFiles: [edges], labels: ["New"], type: "EDGE" });
    expect(named(store)).toEqual({
      nodes: [
        { labels: ["Old"] },
        { labels: ["New"], id: '"1"', name: '"Ada"', age: "36", zip: '"01234"' },
        { labels: ["New"], id: '"2"', name: '"Bob"', age: "4.5", zip: "true" },
      ],
      relationships: [
        [1, "EDGE", 2, { weight: "7" }],
        [2, "EDGE", 1, { weight: "8" }],
      ],
    });
    await store.close();
  });

  test.each([
    [["id:ID,age:int", "1,2", "2,abc"], [":START_ID,:END_ID,:TYPE"], "nodes.csv, line 3, column 2 (age), value 'abc'"],
    [
      ["id:ID,age:int", "1,2", "1,3"],
      [":START_ID,:END_ID,:TYPE"],
      "line 3, column 1 (id), value '1': There is another",
    ],
    [["id:ID", "1"], [":START_ID,:END_ID,:TYPE", "1,7,R"], "edges.csv, line 2, column 2 (end), value '7': No node"],
    [["id:ID", "1"], [":START_ID,:END_ID,:TYPE", "1,1,"], "edges.csv, line 2, column 1, value '1,1,'"],
    [["id:ID,n", '1,"a\nb"', "2"], [":START_ID,:END_ID,:TYPE"], "nodes.csv, line 4, column 1, value '2'"],
    [["id:ID,n", '1,"open'], [":START_ID,:END_ID,:TYPE"], "nodes.csv, line 2, column 2, value '\"open'"],
    [["id:ID,n", '1,"a"b'], [":START_ID,:END_ID,:TYPE"], "nodes.csv, line 2, column 2, value 'b'"],
    [["id:ID,n:thing", "1,2"], [":START_ID,:END_ID,:TYPE"], "There is no column type 'thing'"],
    [["name:string", "1"], [":START_ID,:END_ID,:TYPE"], "exactly one column for the id of nodes"],
    [
      ["id:ID,n,n:int", "1,2,3"],
      [":START_ID,:END_ID,:TYPE"],
      "line 1, column 3, value 'n:int': There is another column",
    ],
    [["id:ID,id", "1,2"], [":START_ID,:END_ID,:TYPE"], "line 1, column 2, value 'id': There is another column"],
    [["id:ID,:int", "1,2"], [":START_ID,:END_ID,:TYPE"], "line 1, column 2, value ':int': The column has no name"],
    [["id:ID"], [":START_ID,:END_ID,:TYPE,w,w", "1,1,R,1,2"], "edges.csv, line 1, column 5, value 'w'"],
    [["id:ID", "1"], [":START_ID,:END_ID,:TYPE", '1,1,""'], "edges.csv, line 2, column 1"],
  ])("names the place of what is wrong, and leaves the store as it was: %j %j", async (nodes, edges, message) => {
    for (const where of [directory, undefined]) {
      const store = await openGraphStore({ directory: where, clock: systemClock });
      const first = store.begin();
      first.setNodeProperty(first.createNode([first.labelId("Old")]), first.propertyKeyId("p"), ["x", "y"]);
      await first.commit();
      const before = dump(store);
      const options = {
        nodeFiles: [await file("nodes.csv", ...nodes)],
        relationshipFiles: [await file("edges.csv", ...edges)],
      };
      await expect(store.importCsv(options)).rejects.toMatchObject({
        name: "ImportError",
        message: expect.stringContaining(message),
      });
      expect(dump(store)).toEqual(before);
      const next = store.begin();
      next.createNode([next.labelId("AfterFailure")]);
      await next.commit();
      const after = dump(store);
      await store.close();
      const reopened = await openGraphStore({ directory, clock: systemClock });
      expect(dump(reopened)).toEqual(after);
      expect(reopened.tokens.labels.find("AfterFailure")).toBe(store.tokens.labels.find("AfterFailure"));
      await reopened.close();
    }
  });

  test("leaves out bad lines when told to, and says which", async () => {
    const nodes = await file("nodes.csv", "id:ID,age:int", "1,x", "2,3", "3", "2,9");
    const store = await openGraphStore({ clock: systemClock });
    const report = await store.importCsv({ nodeFiles: [nodes], relationshipFiles: [], skipBadLines: true });
    expect(report).toMatchObject({ nodes: 1, badLines: 3 });
    expect(report.badLineErrors.map((error) => error.place.line)).toEqual([2, 4, 5]);
  });

  test("goes on behind a line that cannot be read, but not into a quote that is never closed", async () => {
    const store = await openGraphStore({ clock: systemClock });
    const nodes = await file("nodes.csv", "id:ID,n", '1,"a\nb"c', "2,d", '3,"e" ,f', "4,g");
    const report = await store.importCsv({ nodeFiles: [nodes], relationshipFiles: [], skipBadLines: true });
    expect(report).toMatchObject({ nodes: 2, badLines: 2 });
    expect(report.badLineErrors.map(({ place }) => [place.line, place.value])).toEqual([
      [2, "c"],
      [5, " ,f"],
    ]);
    const open = await file("open.csv", "id:ID,n", '5,"a', "6,b");
    const again = { nodeFiles: [open], relationshipFiles: [], skipBadLines: true };
    await expect(store.importCsv(again)).rejects.toMatchObject({ isFinal: true, place: { line: 2, column: 2 } });
    expect(store.statistics.nodeCount).toBe(2);
  });

  test("takes labels from several columns, and none from an empty place", async () => {
    const store = await openGraphStore({ clock: systemClock });
    const nodes = await file("nodes.csv", "id:ID,:LABEL,:LABEL", "1,A;;B,C", '2,;,""', "3,,C;A");
    await store.importCsv({ nodeFiles: [nodes], relationshipFiles: [] });
    expect(named(store)).toMatchObject({
      nodes: [{ labels: ["A", "B", "C"] }, { labels: [] }, { labels: ["A", "C"] }],
    });
    expect(await store.check()).toEqual([]);
  });

  test("refuses what is not in UTF-8", async () => {
    const store = await openGraphStore({ clock: systemClock });
    for (const end of ["\n", "\r"]) {
      const full = path.join(folder, "latin.csv");
      await writeFile(full, Buffer.from(["id:ID,n", "1,caf\xe9", "2,tea"].join(end), "latin1"));
      const options = { nodeFiles: [full], relationshipFiles: [] };
      await expect(store.importCsv(options)).rejects.toMatchObject({
        place: { column: 2 },
        message: expect.stringContaining("not in UTF-8"),
      });
      expect(await store.importCsv({ ...options, skipBadLines: true })).toMatchObject({ nodes: 1, badLines: 1 });
    }
  });

  test.each([
    ["node", "Node(0) with label `Person` must have the property `name`"],
    ["relationship", "Relationship(0) with type `KNOWS` must have the property `since`"],
  ] as const)("keeps to constraints that want a property of a %s", async (entity, message) => {
    const store = await openGraphStore({ directory, clock: systemClock });
    const first = store.begin();
    await first.createConstraint({
      name: "wanted",
      kind: "exists",
      entity,
      token: entity === "node" ? "Person" : "KNOWS",
      properties: [entity === "node" ? "name" : "since"],
    });
    await first.commit();
    const nodeFiles = [await file("nodes.csv", "id:ID,name,:LABEL", "1,,Person")];
    const relationshipFiles = [await file("edges.csv", ":START_ID,:END_ID,:TYPE,since", "1,1,KNOWS,")];
    await expect(store.importCsv({ nodeFiles, relationshipFiles })).rejects.toMatchObject({
      code: "ClientError.Schema.ConstraintViolation",
      message,
    });
    expect(store.statistics.nodeCount).toBe(0);
    expect(await store.check()).toEqual([]);
    await store.close();
  });

  test("does not begin beside open transactions", async () => {
    const store = await openGraphStore({ clock: systemClock });
    const open = store.begin();
    const options = { nodeFiles: [await file("n.csv", "id:ID", "1")], relationshipFiles: [] };
    await expect(store.importCsv(options)).rejects.toMatchObject({
      code: "TransientError.General.DatabaseUnavailable",
    });
    open.rollback();
    const running = store.importCsv(options);
    expect(() => store.begin()).toThrow("being imported");
    await running;
    expect(store.statistics.nodeCount).toBe(1);
  });
});
