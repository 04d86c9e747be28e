import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "@trefoil/base";
import { createEngine, type Engine, type Value } from "@trefoil/graph-engine";
import { type GraphStore, openGraphStore } from "@trefoil/graph-store";
import { expect, test } from "vitest";
import { emptyModel, type Model, takeStep } from "./graph-model.mjs";

const WRITER = path.join(import.meta.dirname, "graph-store-writer.mjs");
/** 500 in the long run. */
const CYCLES = Number(process.env["TREFOIL_CRASH_CYCLES"] ?? 20);
const WORKERS = 4;
const LONGEST_RUN_MS = 120;

/** Lets workers write to `directory` until they are killed at a random moment; how far each was told it had come. */
async function writeUntilKilled(directory: string, workers: number): Promise<readonly number[]> {
  const child = spawn(process.execPath, [WRITER, directory, String(workers)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (output === "") {
      setTimeout(() => child.kill("SIGKILL"), Math.random() * LONGEST_RUN_MS);
    }
    output += text;
  });
  await ended;
  const acknowledged = Array.from({ length: WORKERS }, () => 0);
  // A line that was cut in the middle was still acknowledged, but we cannot say which.
  for (const line of output
    .split("\n")
    .slice(0, -1)
    .filter((each) => each !== "ready")) {
    const [worker, steps] = line.split(" ").map(Number) as [number, number];
    acknowledged[worker] = steps;
  }
  return acknowledged;
}

/** What the store holds of one worker, in the form of its model. */
async function readBack(store: GraphStore, engine: Engine, worker: number): Promise<Model & { steps: number }> {
  const transaction = store.begin();
  const rows = async (text: string): Promise<readonly (readonly Value[])[]> => {
    const result = await engine.execute(transaction, text, new Map([["w", worker]]));
    const all: (readonly Value[])[] = [];
    for await (const batch of result.rows) {
      all.push(...batch);
    }
    return all;
  };
  const marker = await rows("MATCH (m:Marker {w: $w}) RETURN m.steps");
  const items = await rows("MATCH (i:Item {w: $w}) RETURN i.n, i.value, i.text, i:Odd");
  const links = await rows("MATCH (a)-[l:LINK {w: $w}]->(b) RETURN l.n, a.n, b.n");
  transaction.rollback();
  return {
    steps: (marker[0]?.[0] ?? 0) as number,
    items: new Map(items.map(([n, value, text, odd]) => [n, { value, text, odd }] as never)),
    links: new Map(links.map(([n, from, to]) => [n, { from, to }] as never)),
  };
}

/** No answer is lost, and nothing is there in part: the graph is what a plain model says of as many steps. */
test(`kill -9 at a random moment, ${CYCLES} times`, { timeout: 60_000 + CYCLES * 3_000 }, async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "trefoil-graph-crash-"));
  const models = Array.from({ length: WORKERS }, () => ({ steps: 0, ...emptyModel() }));
  try {
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      // One that is alone commits in another way than several (docs/decisions/0206).
      const acknowledged = await writeUntilKilled(directory, cycle % 4 === 3 ? 1 : WORKERS);
      const store = await openGraphStore({ directory, clock: systemClock });
      const engine = createEngine({ store, clock: systemClock });
      for (const [worker, model] of models.entries()) {
        const found = await readBack(store, engine, worker);
        expect(found.steps).toBeGreaterThanOrEqual(Math.max(model.steps, acknowledged[worker] ?? 0));
        for (; model.steps < found.steps; model.steps++) {
          takeStep(model, worker, model.steps);
        }
        expect(found).toEqual(model);
      }
      expect(await store.check()).toEqual([]);
      await store.close();
    }
    expect(models.reduce((sum, { steps }) => sum + steps, 0)).toBeGreaterThan(CYCLES * 5);
  } finally {
    await rm(directory, { recursive: true });
  }
});
