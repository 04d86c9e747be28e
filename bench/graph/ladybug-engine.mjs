import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { firstAnswer } from "./load-in-batches.mjs";
import { folderBytes, ownProcessorMs } from "./process-figures.mjs";
import { cityName } from "./social-graph.mjs";
import { TIME_LIMIT_MS } from "./time-limit.mjs";

const PACKAGE = "@ladybugdb/core@0.19.1";
const SCHEMA = [
  "CREATE NODE TABLE Person(id INT64 PRIMARY KEY, name STRING, age INT64, city STRING, visits INT64)",
  "CREATE NODE TABLE Event(key SERIAL PRIMARY KEY, number INT64, text STRING)",
  "CREATE REL TABLE KNOWS(FROM Person TO Person, since INT64)",
  "CREATE REL TABLE MET(FROM Person TO Person)",
  "CREATE NODE TABLE Visit(key SERIAL PRIMARY KEY, number INT64, text STRING)",
  "CREATE REL TABLE SAW(FROM Person TO Person, since INT64)",
];

/** The embedded rival: installed into `folder` for this run only, never a dependency. */
export async function openLadybug(folder, graph) {
  const home = path.join(folder, "ladybug");
  await mkdir(home);
  execFileSync("npm", ["install", "--prefix", home, PACKAGE, "--no-audit", "--no-fund"], { stdio: "ignore" });
  const ladybug = createRequire(path.join(home, "package.json"))("@ladybugdb/core");
  const files = await writeTables(graph, home);
  const beganMs = performance.now();
  const folderOfGraph = path.join(home, "graph");
  let database;
  let connection;
  const prepared = new Map();
  const open = () => {
    database = new ladybug.Database(folderOfGraph);
    connection = new ladybug.Connection(database);
    prepared.clear();
  };
  open();
  for (const statement of SCHEMA) {
    await connection.query(statement);
  }
  await connection.query(`COPY Person FROM '${files.persons}' (HEADER=true)`);
  await connection.query(`COPY KNOWS FROM '${files.knows}' (HEADER=true)`);
  const loadMs = performance.now() - beganMs;
  connection.setQueryTimeout(TIME_LIMIT_MS);
  const run = async (text, parameters) => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = await connection.prepare(text);
      prepared.set(text, statement);
    }
    const result = await connection.execute(statement, parameters);
    const rows = await result.getAll();
    result.close();
    return rows.map((row) => Object.values(row));
  };
  const close = async () => {
    await connection.close();
    await database.close();
  };
  return {
    name: "ladybug",
    indexed: true,
    loadMs,
    run,
    plain,
    processorMs: ownProcessorMs,
    diskBytes: () => folderBytes(home, (name) => name.startsWith("graph")),
    restartMs: async () => {
      await close();
      const restartedMs = performance.now();
      open();
      connection.setQueryTimeout(TIME_LIMIT_MS);
      await firstAnswer(graph, run);
      return performance.now() - restartedMs;
    },
    close,
  };
}

async function writeTables(graph, folder) {
  const persons = path.join(folder, "persons.csv");
  const knows = path.join(folder, "knows.csv");
  const lines = ["id,name,age,city,visits"];
  for (let person = 0; person < graph.persons; person++) {
    lines.push(`${person},${graph.names[person]},${graph.ages[person]},${cityName(graph.cities[person])},0`);
  }
  await writeFile(persons, `${lines.join("\n")}\n`);
  const pairs = ["from,to,since"];
  for (let index = 0; index < graph.relationships; index++) {
    pairs.push(`${graph.starts[index]},${graph.ends[index]},${1990 + (index % 30)}`);
  }
  await writeFile(knows, `${pairs.join("\n")}\n`);
  return { persons, knows };
}

function plain(value) {
  return typeof value === "bigint" ? Number(value) : value;
}
