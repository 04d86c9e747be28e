import { distinctAtHops, distinctWithin, shortestLength, triangles, twoHopFilteredCount } from "./bare-loops.mjs";
import { cityName } from "./social-graph.mjs";

/**
 * The rows of the tables. `parameters(turn)` makes each operation's own; `expected(graph, parameters)` is what its rows
 * must be, where it can be said; `clients` run at once (`serverClients`: over a wire); `writes` commit; `mixed` are rows
 * that take turns; `items` are what one operation makes; `dialects` are other engines' words for it, null where they
 * have none.
 */
export function rowsFor(graph) {
  const person = (turn) => (turn * 7919) % graph.persons;
  const rows = [
    {
      name: "point lookup by indexed id",
      serverClients: 16,
      text: "MATCH (p:Person) WHERE p.id = $id RETURN p.name, p.age",
      parameters: (turn) => ({ id: person(turn) }),
      expected: (_graph, { id }) => [[graph.names[id], graph.ages[id]]],
    },
    {
      name: "one hop with properties",
      serverClients: 16,
      text: "MATCH (p:Person)-[:KNOWS]->(f:Person) WHERE p.id = $id RETURN f.id, f.name, f.age",
      parameters: (turn) => ({ id: person(turn) }),
      expected: (_graph, { id }) =>
        neighboursOf(graph, id).map((friend) => [friend, graph.names[friend], graph.ages[friend]]),
    },
    {
      name: "two hops, distinct count",
      serverClients: 16,
      text: "MATCH (p:Person)-[:KNOWS]->(:Person)-[:KNOWS]->(f:Person) WHERE p.id = $id RETURN count(DISTINCT f)",
      parameters: (turn) => ({ id: person(turn) }),
      expected: (_graph, { id }) => [[distinctAtHops(graph, id, 2).size]],
    },
    {
      name: "two-hop filtered global count",
      text: "MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) WHERE a.age > 80 AND b.age > 20 AND c.age < 50 RETURN count(*)",
      parameters: () => ({}),
      expected: () => [[twoHopFilteredCount(graph)]],
      bare: () => twoHopFilteredCount(graph),
    },
    {
      name: "two-hop global count",
      text: "MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c) WHERE a.age > 80 RETURN count(*)",
      parameters: () => ({}),
      expected: () => [[twoHopCount(graph)]],
    },
    {
      name: "triangles through 100 nodes",
      text: "MATCH (a:Person)-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(a) WHERE a.id < 100 RETURN count(*)",
      parameters: () => ({}),
      expected: () => [[triangles(graph, Math.min(100, graph.persons))]],
    },
    {
      name: "three-hop neighbourhood",
      text: "MATCH (p:Person)-[:KNOWS]->()-[:KNOWS]->()-[:KNOWS]->(f) WHERE p.id = $id RETURN count(DISTINCT f)",
      parameters: (turn) => ({ id: person(turn) }),
      expected: (_graph, { id }) => [[distinctAtHops(graph, id, 3).size]],
    },
    {
      name: "variable length 1..3, distinct",
      text: "MATCH (p:Person)-[:KNOWS*1..3]->(f) WHERE p.id = $id RETURN count(DISTINCT f)",
      parameters: (turn) => ({ id: person(turn) }),
      expected: (_graph, { id }) => [[distinctWithin(graph, id, 3)]],
    },
    {
      name: "shortest path, at most 6 hops",
      text: "MATCH (a:Person), (b:Person) WHERE a.id = $from AND b.id = $to MATCH p = shortestPath((a)-[:KNOWS*..6]->(b)) RETURN length(p)",
      dialects: {
        ladybug:
          "MATCH p = (a:Person)-[:KNOWS* SHORTEST 1..6]->(b:Person) WHERE a.id = $from AND b.id = $to RETURN length(p)",
        falkordb:
          "MATCH (a:Person), (b:Person) WHERE a.id = $from AND b.id = $to WITH shortestPath((a)-[:KNOWS*..6]->(b)) AS p WHERE p IS NOT NULL RETURN length(p)",
      },
      parameters: (turn) => ({ from: person(turn), to: person(turn + 1) }),
      expected: (_graph, { from, to }) => {
        const length = shortestLength(graph, from, to, 6);
        return length < 0 ? [] : [[length]];
      },
    },
    {
      name: "label scan, filter, group by, top 10",
      text: "MATCH (p:Person) WHERE p.age > 30 RETURN p.city AS city, count(*) AS persons, avg(p.age) AS age ORDER BY persons DESC, city LIMIT 10",
      parameters: () => ({}),
      expected: () => topCities(graph),
    },
    {
      name: "groups over all relationships, top 10",
      text: "MATCH (p:Person)-[:KNOWS]->(f) RETURN p.city AS city, count(*) AS friends, max(f.age) AS oldest, avg(f.age) AS age ORDER BY friends DESC, city LIMIT 10",
      parameters: () => ({}),
      expected: () => citiesByFriends(graph),
    },
    {
      name: "sort all by a string, top 10",
      text: "MATCH (p:Person) RETURN p.name AS name ORDER BY name LIMIT 10",
      parameters: () => ({}),
      expected: () =>
        graph.names
          .toSorted()
          .slice(0, 10)
          .map((name) => [name]),
    },
    {
      name: "optional match + collect, 100 nodes",
      text: "MATCH (p:Person) WHERE p.id IN $ids OPTIONAL MATCH (p)-[:KNOWS]->(f) RETURN p.id, size(collect(f.name))",
      parameters: (turn) => ({ ids: Array.from({ length: 100 }, (_unused, index) => person(turn * 100 + index)) }),
      expected: (_graph, { ids }) => [...new Set(ids)].map((id) => [id, graph.offsets[id + 1] - graph.offsets[id]]),
    },
    {
      name: "return 100 k rows of 4 columns",
      text: "MATCH (p:Person) RETURN p.id, p.name, p.age, p.city LIMIT 100000",
      parameters: () => ({}),
      expected: () =>
        Array.from({ length: Math.min(100_000, graph.persons) }, (_unused, id) => [
          id,
          graph.names[id],
          graph.ages[id],
          cityName(graph.cities[id]),
        ]),
    },
    ...[1, 16].map((clients) => ({
      name: `durable single create, ${clients} client${clients === 1 ? "" : "s"}`,
      text: "CREATE (:Event {number: $number, text: 'created'})",
      parameters: (turn) => ({ number: turn }),
      writes: true,
      clients,
    })),
    {
      name: "durable update, 16 clients",
      text: "MATCH (p:Person) WHERE p.id = $id SET p.visits = $turn",
      parameters: (turn) => ({ id: person(turn), turn }),
      writes: true,
      clients: 16,
    },
    {
      name: "UNWIND create of 1,000 nodes",
      text: "UNWIND $rows AS row CREATE (:Event {number: row.number, text: row.text})",
      parameters: (turn) => ({
        rows: Array.from({ length: 1000 }, (_unused, index) => ({ number: turn * 1000 + index, text: "made" })),
      }),
      writes: true,
    },
    {
      name: "merge of a relationship",
      text: "MATCH (a:Person), (b:Person) WHERE a.id = $from AND b.id = $to MERGE (a)-[:MET]->(b)",
      parameters: (turn) => ({ from: person(turn), to: person(turn + 1) }),
      writes: true,
    },
    {
      name: "5,000 nodes in a batch",
      text: "UNWIND $rows AS row CREATE (:Visit {number: row.number, text: row.text})",
      parameters: (turn) => ({
        rows: Array.from({ length: BATCH }, (_unused, index) => ({ number: turn * BATCH + index, text: "made" })),
      }),
      writes: true,
      items: BATCH,
    },
    {
      name: "5,000 relationships in a batch",
      text: "UNWIND $rows AS row MATCH (a:Person), (b:Person) WHERE a.id = row.from AND b.id = row.to CREATE (a)-[:SAW {since: row.since}]->(b)",
      dialects: {
        ladybug:
          "UNWIND $rows AS row MATCH (a:Person) WHERE a.id = row.from MATCH (b:Person) WHERE b.id = row.to CREATE (a)-[:SAW {since: row.since}]->(b)",
      },
      parameters: (turn) => ({
        rows: Array.from({ length: BATCH }, (_unused, index) => ({
          from: person(turn * BATCH + index),
          to: person(turn + index * 31),
          since: 2000 + (index % 20),
        })),
      }),
      writes: true,
      items: BATCH,
    },
  ];
  const named = (name) => rows.find((row) => row.name === name);
  const [lookup, hop, update] = ["point lookup by indexed id", "one hop with properties", "durable update, 16 clients"];
  return [
    ...rows,
    {
      name: "mixed 90/10, 32 clients",
      mixed: [lookup, hop, lookup, hop, lookup, hop, lookup, hop, lookup, update].map(named),
      clients: 32,
    },
  ];
}

const BATCH = 5000;

function neighboursOf({ offsets, neighbours }, node) {
  return [...neighbours.subarray(offsets[node], offsets[node + 1])];
}

function twoHopCount({ persons, ages, offsets, neighbours }) {
  let count = 0;
  for (let a = 0; a < persons; a++) {
    if (ages[a] > 80) {
      for (const b of neighbours.subarray(offsets[a], offsets[a + 1])) {
        count += offsets[b + 1] - offsets[b];
      }
    }
  }
  return count;
}

function citiesByFriends({ persons, ages, cities, offsets, neighbours }) {
  const groups = new Map();
  for (let id = 0; id < persons; id++) {
    const city = cityName(cities[id]);
    const group = groups.get(city) ?? { count: 0, oldest: 0, sum: 0 };
    for (const friend of neighbours.subarray(offsets[id], offsets[id + 1])) {
      group.count += 1;
      group.oldest = Math.max(group.oldest, ages[friend]);
      group.sum += ages[friend];
    }
    groups.set(city, group);
  }
  return [...groups]
    .map(([city, { count, oldest, sum }]) => [city, count, oldest, sum / count])
    .toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
    .slice(0, 10);
}

function topCities(graph) {
  const groups = new Map();
  for (let id = 0; id < graph.persons; id++) {
    if (graph.ages[id] > 30) {
      const city = cityName(graph.cities[id]);
      const group = groups.get(city) ?? { count: 0, sum: 0 };
      group.count += 1;
      group.sum += graph.ages[id];
      groups.set(city, group);
    }
  }
  return [...groups]
    .map(([city, { count, sum }]) => [city, count, sum / count])
    .toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
    .slice(0, 10);
}
