import fc from "fast-check";

/**
 * Statements that write to the graph of statement-arbitraries.ts, whatever the order of their rows: increments, constants,
 * what is made for each row, what is made once.
 */
export function updates(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...MATCHES),
      fc.uniqueArray(fc.constantFrom(...WRITES), { minLength: 1, maxLength: 3 }),
      results,
    )
    .map(([match, writes, result]) => `${match} ${writes.join(" ")} ${result}`);
}

/** All of them bind nodes a and b and a relationship r. */
const MATCHES = [
  "MATCH (a)-[r]->(b)",
  "MATCH (a:A)-[r]-(b)",
  "MATCH (a:A {p: 1})-[r:R]->(b)",
  "MATCH (a)-[r:R|S]->(b:B) WHERE a.p > 0",
  "MATCH (a)<-[r]-(b) WHERE r.p = 1 OR b.q = 'x'",
  "MATCH (a)-[r]->(b)-->(c) WHERE NOT (c)-->(a)",
  "MATCH (a)-[r]->(b)-->(c)-->(a)",
  "MATCH (a:A) WHERE a.p IN [1, -1] MATCH (a)-[r]->(b) WITH DISTINCT a, r, b",
];

const WRITES = [
  "SET a.n = coalesce(a.n, 0) + 1",
  "SET r.n = coalesce(r.n, 0) + 1",
  "SET a.p = 7",
  "SET b:New",
  "SET b += {q: null, x: 'y'}",
  "REMOVE a.q",
  "REMOVE a:B",
  "CREATE (:Made {p: a.p, q: b.q})",
  "CREATE (a)-[:R {p: 5}]->(b)",
  "CREATE (a)<-[:T]-(:A {p: 1, m: r.p})",
  "MERGE (m:Once {k: 1}) ON CREATE SET m.c = 1 ON MATCH SET m.c = m.c + 1",
  "MERGE (:A {p: 2})",
  "MERGE (a)-[:T]->(b)",
  "FOREACH (x IN [1, 2] | CREATE (a)-[:F {x: x}]->(:F))",
  "FOREACH (x IN CASE WHEN a.p = 1 THEN [1] ELSE [] END | SET b.q = x)",
];

/** Entities that are deleted are not asked for anything afterwards. */
const results = fc.constantFrom(
  "",
  "RETURN count(*) AS rows",
  "RETURN a.n IS NULL AS none, count(*) AS rows",
  "WITH DISTINCT a RETURN labels(a) AS labels, a.p AS p",
  "DELETE r",
  "WITH DISTINCT b DETACH DELETE b",
  "WITH DISTINCT a, b MATCH (a)-[s]-(x) RETURN type(s) AS type, count(*) AS c",
);
