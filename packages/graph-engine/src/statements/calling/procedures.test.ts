import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

const field = (name: string, type: string): { name: string; type: string; nullable: boolean } => ({
  name,
  type,
  nullable: true,
});

describe("CALL of procedures", () => {
  test("plans made before notice a change", async () => {
    const graph = await TestGraph.open();
    const text = "CALL my.proc(1) YIELD out RETURN out";
    await expect(graph.run(text)).rejects.toMatchObject({ code: "ClientError.Procedure.ProcedureNotFound" });
    const define = (factor: number): void => {
      graph.engine.procedures.define({
        name: "my.proc",
        mode: "read",
        inputs: [field("in", "INTEGER")],
        outputs: [field("out", "INTEGER")],
        call: ([value]) => [[Number(value) * factor]],
      });
    };
    define(2);
    expect(await graph.value(text)).toBe(2);
    define(3);
    expect(await graph.value(text)).toBe(3);
    graph.engine.procedures.remove("my.proc");
    await expect(graph.run(text)).rejects.toMatchObject({ code: "ClientError.Procedure.ProcedureNotFound" });
  });

  test("without parentheses asks for its parameters even to be explained", async () => {
    const graph = await TestGraph.open();
    graph.engine.procedures.define({
      name: "my.proc",
      mode: "read",
      inputs: [field("in", "INTEGER")],
      outputs: [],
      call: () => [],
    });
    await expect(graph.run("EXPLAIN CALL my.proc")).rejects.toMatchObject({
      code: "ClientError.Statement.ParameterMissing",
      phase: "compile time",
    });
    expect((await graph.run("EXPLAIN RETURN $x")).rows).toEqual([]);
  });

  test("waits for one that answers later, and reports one that fails", async () => {
    const graph = await TestGraph.open();
    graph.engine.procedures.define({
      name: "later",
      mode: "read",
      inputs: [],
      outputs: [field("out", "INTEGER")],
      call: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return [[1], [2]];
      },
    });
    graph.engine.procedures.define({
      name: "broken",
      mode: "read",
      inputs: [],
      outputs: [],
      call: () => Promise.reject(new Error("it broke")),
    });
    expect((await graph.run("UNWIND [10, 20] AS x CALL later() YIELD out RETURN x + out")).rows).toEqual([
      [11],
      [12],
      [21],
      [22],
    ]);
    await expect(graph.run("CALL broken()")).rejects.toMatchObject({
      code: "ClientError.Procedure.ProcedureCallFailed",
      message: "Failed to invoke procedure `broken`: it broke",
    });
  });

  test("lists what is there", async () => {
    const graph = await TestGraph.open("CREATE (:B)-[:R]->(:A)");
    expect((await graph.run("CALL db.labels()")).rows).toEqual([["A"], ["B"]]);
    expect((await graph.run("CALL db.relationshipTypes() YIELD relationshipType AS t RETURN t")).rows).toEqual([["R"]]);
    expect(await graph.value("CALL dbms.procedures() YIELD name WHERE name = 'db.labels' RETURN count(*)")).toBe(1);
  });
});

describe("functions that come and go", () => {
  test("are called, noticed by plans made before, and gone again", async () => {
    const graph = await TestGraph.open();
    const text = "RETURN my.twice(21)";
    await expect(graph.run(text)).rejects.toMatchObject({ tckDetail: "UnknownFunction" });
    graph.engine.functions.define({
      name: "my.twice",
      parameters: [{ name: "number", types: ["number"], optional: false }],
      returns: "integer",
      call: ([value]) => Number(value) * 2,
    });
    expect(await graph.value(text)).toBe(42);
    await expect(graph.run("RETURN my.twice('a')")).rejects.toMatchObject({ tckDetail: "InvalidArgumentType" });
    expect(graph.engine.functions.remove("my.twice")).toBe(true);
    await expect(graph.run(text)).rejects.toMatchObject({ tckDetail: "UnknownFunction" });
  });
});
