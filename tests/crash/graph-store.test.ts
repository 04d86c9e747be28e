import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "@trefoil/base";
import { type ExpandBuffer, openGraphStore, type ReadView } from "@trefoil/graph-store";
import { expect, test } from "vitest";

const WRITER = path.join(import.meta.dirname, "graph-store-writer.mjs");
const CYCLES = 50;
const LONGEST_RUN_MS = 120;

/** Runs the writer on `directory` until it is killed at a random moment; the commits that it was told had happened. */
async function writeUntilKilled(directory: string, run: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [WRITER, directory, String(run)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (output === "") {
      setTimeout(() => child.kill("SIGKILL"), Math.random() * LONGEST_RUN_MS);
    }
    output += text;
  });
  await ended;
  // A line that was cut in the middle was still acknowledged, but we cannot say which.
  const lines = output.split("\n").slice(0, -1);
  expect(lines[0]).toBe("ready");
  return lines.slice(1);
}

/** Every pair in the store by name, after checking that none is there in part. */
function pairsIn(view: ReadView, key: number): Set<string> {
  const buffer: ExpandBuffer = { relationships: new Int32Array(1), neighbours: new Int32Array(1) };
  const names = new Set<string>();
  let nodes = 0;
  for (let cursor = view.allNodes(), node = cursor.next(); node >= 0; node = cursor.next()) {
    nodes += 1;
    const name = view.nodeProperty(node, key) as string;
    expect(view.expand(node, "both", [], buffer)).toBe(1);
    expect(view.nodeProperty(buffer.neighbours[0]!, key)).toBe(name);
    expect(view.relationshipProperty(buffer.relationships[0]!, key)).toBe(name);
    names.add(name);
  }
  expect(nodes).toBe(names.size * 2);
  expect(view.relationshipCount()).toBe(names.size);
  return names;
}

test(`kill -9 at a random moment, ${CYCLES} times: every acknowledged commit is there, and whole`, async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "trefoil-graph-crash-"));
  try {
    const acknowledged: string[] = [];
    for (let run = 0; run < CYCLES; run++) {
      acknowledged.push(...(await writeUntilKilled(directory, run)));
      const store = await openGraphStore({ directory, clock: systemClock });
      const transaction = store.begin();
      const present = pairsIn(transaction.openView(), store.tokens.propertyKeys.find("name"));
      expect(acknowledged.filter((name) => !present.has(name))).toEqual([]);
      await store.close();
    }
    expect(acknowledged.length).toBeGreaterThan(CYCLES * 10);
  } finally {
    await rm(directory, { recursive: true });
  }
});
