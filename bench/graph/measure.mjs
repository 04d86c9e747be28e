#!/usr/bin/env node
/**
 * What typical statements cost in the graph as a library: `npm run bench:graph`. Makes a graph of persons, checks every
 * answer against bare loops over arrays, then times each statement and prints one table.
 *
 *     npm run bench:graph -- [--persons 100000] [--relationships 2000000] [--seconds 1] [--rows <words of names>] [--peer]
 *
 * `--peer` also installs an embedded rival into a temporary folder and measures it on the same graph in the same run.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { rowsFor } from "./rows.mjs";
import { makeSocialGraph, writeCsvFiles } from "./social-graph.mjs";
import { openTrefoil } from "./trefoil-engine.mjs";

const { values: options } = parseArgs({
  options: {
    persons: { type: "string", default: "100000" },
    relationships: { type: "string", default: "2000000" },
    seconds: { type: "string", default: "1" },
    rows: { type: "string", default: "" },
    peer: { type: "boolean", default: false },
  },
});
class WrongAnswer extends Error {}

const CHECKED_TURNS = 3;
const WARM_UP_TURNS = 5;

const graph = makeSocialGraph(Number(options.persons), Number(options.relationships), 42);
const folder = await mkdtemp(path.join(tmpdir(), "trefoil-bench-graph-"));
const engines = [];
try {
  const files = await writeCsvFiles(graph, folder);
  console.log(`machine   ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, commit ${commit()}`);
  console.log(`graph     ${graph.persons} persons, ${graph.relationships} relationships`);
  engines.push(await openTrefoil(path.join(folder, "trefoil"), files));
  if (options.peer) {
    const { openLadybug } = await import("./ladybug-engine.mjs");
    engines.push(await openLadybug(folder, graph));
  }
  for (const engine of engines) {
    console.log(`load      ${engine.name}: ${(engine.loadMs / 1000).toFixed(1)} s`);
    console.log(`anchor    ${engine.name}: ${engine.indexed ? "indexed property" : "id(n), no property index"}`);
  }
  const rows = rowsFor(graph).filter((row) => row.name.includes(options.rows));
  console.log(`\n${"".padEnd(40)}${engines.map(({ name }) => `${name} ops/s   CPU ms/op`.padStart(34)).join("")}`);
  for (const row of rows) {
    const cells = [];
    for (const engine of engines) {
      cells.push(await cellOf(engine, row));
    }
    const bare = row.bare === undefined ? "" : `   bare loop ${bareMs(row).toFixed(1)} ms`;
    const ratio =
      cells.length < 2 || cells[1].rate === undefined ? "" : `   ${(cells[0].rate / cells[1].rate).toFixed(1)}×`;
    console.log(row.name.padEnd(40) + cells.map((cell) => cellText(cell).padStart(34)).join("") + ratio + bare);
  }
} finally {
  await Promise.all(engines.map((engine) => engine.close()));
  await rm(folder, { recursive: true });
}

/** Ours must answer, and rightly; a rival that cannot, or answers otherwise, has a note in place of figures. */
async function cellOf(engine, row) {
  try {
    await check(engine, row);
    return await measure(engine, row);
  } catch (error) {
    if (engine === engines[0]) {
      throw error;
    }
    return { note: error instanceof WrongAnswer ? "other answer" : "fails" };
  }
}

function textFor(engine, row) {
  const dialect = row.dialects?.[engine.name];
  if (dialect !== undefined) {
    return dialect;
  }
  return engine.indexed ? row.text : row.text.replaceAll(/(\w+)\.id (=|IN) /gu, "id($1) $2 ");
}

/** Rows in any order must be those of the bare loops; the timed statements are the checked ones. */
async function check(engine, row) {
  for (let turn = 0; turn < CHECKED_TURNS && row.expected !== undefined; turn++) {
    const parameters = row.parameters(turn);
    const rows = await engine.run(textFor(engine, row), parameters);
    const found = rows.map((values) => JSON.stringify(values.map(engine.plain))).toSorted();
    const wanted = row
      .expected(graph, parameters)
      .map((values) => JSON.stringify(values))
      .toSorted();
    if (found.length !== wanted.length || found.some((text, index) => text !== wanted[index])) {
      throw new WrongAnswer(
        `${engine.name}: wrong answer to "${row.name}": ${found.slice(0, 3)} for ${wanted.slice(0, 3)}`,
      );
    }
  }
}

async function measure(engine, row) {
  const text = textFor(engine, row);
  const clients = row.clients ?? 1;
  let turn = CHECKED_TURNS;
  const deadline = (seconds) => performance.now() + seconds * 1000;
  const work = async (untilMs, atLeast) => {
    for (let done = 0; done < atLeast || performance.now() < untilMs; done++) {
      await engine.run(text, row.parameters(turn++), row.writes);
    }
  };
  await work(deadline(Number(options.seconds) / 4), WARM_UP_TURNS);
  const first = turn;
  const cpuBefore = process.cpuUsage();
  const beganMs = performance.now();
  const untilMs = deadline(Number(options.seconds));
  await Promise.all(Array.from({ length: clients }, () => work(untilMs, 1)));
  const elapsedMs = performance.now() - beganMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  const operations = turn - first;
  return { rate: (operations / elapsedMs) * 1000, cpuMs: (user + system) / 1000 / operations };
}

function bareMs(row) {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const beganMs = performance.now();
    row.bare();
    bestMs = Math.min(bestMs, performance.now() - beganMs);
  }
  return bestMs;
}

function cellText({ rate, cpuMs, note }) {
  if (note !== undefined) {
    return note;
  }
  return `${rate >= 100 ? rate.toFixed(0) : rate.toFixed(2)}   ${cpuMs >= 10 ? cpuMs.toFixed(1) : cpuMs.toFixed(3)}`;
}

function commit() {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}
