/**
 * How fast statements are parsed: `npx vitest bench --run --project unit bench/micro/cypher-parser.bench.ts`.
 * Besides Vitest's table it prints megabytes of text per second. Nothing is asserted about time.
 */
import { parseStatement, printStatement } from "@trefoil/cypher";
import { bench, describe } from "vitest";

const rows = Array.from({ length: 5000 }, (_, id) => `{id: ${id}, name: 'n${id}', tags: ['a', 'b']}`).join(", ");

const STATEMENTS: Readonly<Record<string, string>> = {
  "a short lookup": "MATCH (n:Person {name: $name}) RETURN n",
  "a report": `MATCH (a:Person {name: 'Ann'})-[r:KNOWS*1..3]->(b:Person)<-[:LIVES_IN]-(c)
WHERE a.age > 30 AND b.name STARTS WITH 'B' OR NOT (a)-->(c) AND c.population IN [1, 2, 3]
WITH a, b, collect(DISTINCT c.name) AS cities, count(*) AS n ORDER BY n DESC SKIP 5 LIMIT 10
UNWIND cities AS city
RETURN a.name AS name, b.name, city, CASE WHEN n > 3 THEN 'many' ELSE 'few' END AS amount,
  [x IN cities WHERE x <> city | toUpper(x)] AS others`,
  "5,000 literal rows": `UNWIND [${rows}] AS row CREATE (n:X) SET n = row`,
};

interface Total {
  characters: number;
  milliseconds: number;
}

function measured(name: string, text: string, work: () => unknown): void {
  const total: Total = { characters: 0, milliseconds: 0 };
  bench(
    name,
    () => {
      const start = performance.now();
      work();
      total.milliseconds += performance.now() - start;
      total.characters += text.length;
    },
    {
      time: 500,
      teardown: (_, phase) => {
        if (phase === "run") {
          console.log(
            `${name.padEnd(28)} ${(total.characters / 1000 / total.milliseconds).toFixed(1).padStart(6)} MB/s`,
          );
        }
      },
    },
  );
}

describe("parse and print", () => {
  for (const [name, text] of Object.entries(STATEMENTS)) {
    const parsed = parseStatement(text, { mode: "modern" });
    measured(`parse ${name}`, text, () => parseStatement(text, { mode: "modern" }));
    measured(`print ${name}`, text, () => printStatement(parsed));
  }
});
