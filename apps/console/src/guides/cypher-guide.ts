import { type Guide } from "./guide.ts";

export const CYPHER_GUIDE: Guide = {
  name: "cypher",
  title: "The language",
  summary: "Patterns, reading and writing, in seven statements.",
  pages: [
    {
      title: "Nodes and relationships",
      parts: [
        {
          kind: "text",
          text: "A graph holds *nodes*, with labels, and *relationships* between two of them, each with a type. Both have properties. Statements draw them: `(n:City)` is a node, `-[:ROAD]->` a relationship.",
        },
        {
          kind: "statement",
          statement:
            "CREATE (a:City {name: 'Aberdeen'}), (b:City {name: 'Bergen'}), (c:City {name: 'Cuxhaven'}),\n  (a)-[:FERRY {hours: 26}]->(b), (b)-[:FERRY {hours: 30}]->(c), (c)-[:FERRY {hours: 34}]->(a)\nRETURN a, b, c",
          note: "Three cities, three ferries",
        },
        {
          kind: "statement",
          statement:
            "MATCH (a:City)-[f:FERRY]->(b:City)\nRETURN a.name AS `from`, b.name AS `to`, f.hours AS hours\nORDER BY hours",
          note: "Every ferry, the fastest first",
        },
      ],
    },
    {
      title: "Reading",
      parts: [
        {
          kind: "text",
          text: "`MATCH` finds patterns, `WHERE` keeps some of them, `WITH` hands on what a first part found to a second, `RETURN` ends it.",
        },
        {
          kind: "statement",
          statement: "MATCH p = (a:City {name: 'Aberdeen'})-[:FERRY*1..3]->(b:City)\nRETURN p, length(p) AS steps",
          note: "Journeys of one to three ferries",
        },
        {
          kind: "statement",
          statement:
            "MATCH (a:City)-[f:FERRY]->()\nWITH avg(f.hours) AS mean\nMATCH (a:City)-[f:FERRY]->(b:City)\nWHERE f.hours > mean\nRETURN a.name AS `from`, b.name AS `to`, f.hours AS hours",
          note: "Ferries that take longer than most",
        },
      ],
    },
    {
      title: "Writing",
      parts: [
        {
          kind: "statement",
          statement: "MERGE (d:City {name: 'Den Helder'})\nON CREATE SET d.isNew = true\nRETURN d",
          note: "`MERGE` finds a node or makes it",
        },
        {
          kind: "statement",
          statement: "MATCH (c:City {name: 'Bergen'})\nSET c.rainyDays = 231\nRETURN c",
          note: "`SET` changes properties",
        },
        {
          kind: "statement",
          statement: "MATCH (c:City) DETACH DELETE c",
          note: "`DETACH DELETE` removes nodes and their relationships",
        },
      ],
    },
  ],
};
