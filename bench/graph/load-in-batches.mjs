import { cityName } from "./social-graph.mjs";

const BATCH = 20_000;
const NODES =
  "UNWIND $rows AS row CREATE (:Person {id: row.id, name: row.name, age: row.age, city: row.city, visits: 0})";
const RELATIONSHIPS =
  "UNWIND $rows AS row MATCH (a:Person), (b:Person) WHERE a.id = row.from AND b.id = row.to CREATE (a)-[:KNOWS {since: row.since}]->(b)";

/** Fills a server that takes no files: statements with lists. @param {(text: string, parameters: object, options: object) => Promise<unknown>} run */
export async function loadInBatches(graph, run) {
  await inBatches(NODES, graph.persons, run, (id) => ({
    id,
    name: graph.names[id],
    age: graph.ages[id],
    city: cityName(graph.cities[id]),
  }));
  await inBatches(RELATIONSHIPS, graph.relationships, run, (index) => ({
    from: graph.starts[index],
    to: graph.ends[index],
    since: 1990 + (index % 30),
  }));
}

/** What a server that has been started again must answer before it counts as back. @throws while it does not */
export async function firstAnswer(graph, run) {
  const id = graph.persons - 1;
  const [row] = await run("MATCH (p:Person) WHERE p.id = $id RETURN p.name", { id }, { writes: false, rows: true });
  if (row?.[0] !== graph.names[id]) {
    throw new Error("not all is there yet");
  }
}

async function inBatches(text, count, run, row) {
  for (let first = 0; first < count; first += BATCH) {
    const length = Math.min(BATCH, count - first);
    const rows = Array.from({ length }, (_unused, index) => row(first + index));
    await run(text, { rows }, { writes: true, rows: false, limited: false });
  }
}
