import { filmStatement } from "./film-statement.ts";
import { type Guide } from "./guide.ts";

export const MOVIES_GUIDE: Guide = {
  name: "movies",
  title: "Films and their people",
  summary: "Make a graph of films from 1941 to 1968, and ask it who met whom.",
  pages: [
    {
      title: "A graph of films",
      parts: [
        {
          kind: "text",
          text: "Film is a small world: the same people meet again and again, as actors, directors, writers and composers. That is what graphs are for. In five pages you make one, look at it, and ask it things that are hard to ask a table.",
        },
        {
          kind: "text",
          text: "There are three labels, `Person`, `Film` and `Genre`, and six types of relationships: `ACTED_IN`, `DIRECTED`, `WROTE`, `COMPOSED`, `IN_GENRE` and `RETELLS`.",
        },
      ],
    },
    {
      title: "Make it",
      parts: [
        {
          kind: "text",
          text: "One statement makes everything. Press its arrow, once: a second time makes everything twice.",
        },
        { kind: "statement", statement: filmStatement() },
        { kind: "statement", statement: "MATCH (n)-[r]->(m) RETURN n, r, m", note: "Then look at all of it" },
      ],
    },
    {
      title: "Find",
      parts: [
        { kind: "text", text: "A pattern in round and square brackets is drawn the way it looks in the graph." },
        {
          kind: "statement",
          statement: "MATCH (p:Person {name: 'Orson Welles'})-[r]->(f:Film)\nRETURN p, r, f",
          note: "Everything one person did",
        },
        {
          kind: "statement",
          statement:
            "MATCH (f:Film)\nWHERE f.year >= 1950 AND f.year < 1955\nRETURN f.title AS title, f.year AS year\nORDER BY year, title",
          note: "Films of five years, as a table",
        },
        {
          kind: "statement",
          statement:
            "MATCH (d:Person)-[:DIRECTED]->(f:Film)<-[:ACTED_IN]-(d)\nRETURN d.name AS person, collect(f.title) AS films",
          note: "Who directed themselves",
        },
      ],
    },
    {
      title: "Follow",
      parts: [
        { kind: "text", text: "Patterns may be as long as you like, and of any length." },
        {
          kind: "statement",
          statement:
            "MATCH (a:Person {name: 'Ingrid Bergman'})-[:ACTED_IN]->()<-[:ACTED_IN]-(b:Person)\nRETURN DISTINCT b.name AS colleague\nORDER BY colleague",
          note: "Who played beside her",
        },
        {
          kind: "statement",
          statement:
            "MATCH p = shortestPath(\n  (a:Person {name: 'Toshiro Mifune'})-[:ACTED_IN|DIRECTED|COMPOSED|RETELLS*..10]-(b:Person {name: 'Audrey Hepburn'})\n)\nRETURN p",
          note: "How far it is from Tokyo to Tiffany's",
        },
        {
          kind: "statement",
          statement:
            "MATCH p = (f:Film)-[:RETELLS]->(o:Film)\nMATCH (d)-[r:DIRECTED]->(f), (e)-[s:DIRECTED]->(o)\nRETURN p, d, r, e, s",
          note: "Stories told twice",
        },
      ],
    },
    {
      title: "Count, and go on",
      parts: [
        {
          kind: "statement",
          statement:
            "MATCH (d:Person)-[:DIRECTED]->(f:Film)<-[:ACTED_IN]-(a:Person)\nWITH d, a, count(f) AS films\nWHERE films > 1\nRETURN d.name AS director, a.name AS actor, films\nORDER BY films DESC, director",
          note: "Directors and the actors they came back to",
        },
        {
          kind: "statement",
          statement:
            "PROFILE MATCH (g:Genre)<-[:IN_GENRE]-(f:Film)<-[:ACTED_IN]-(a:Person)\nRETURN g.name AS genre, count(DISTINCT a) AS actors\nORDER BY actors DESC",
          note: "The same with a look at how it is done",
        },
        {
          kind: "statement",
          statement: "MATCH (n) WHERE n:Film OR n:Person OR n:Genre\nDETACH DELETE n",
          note: "When you are done, this takes the films away again",
        },
        {
          kind: "guide",
          guide: "trade",
          title: "A trading house",
          summary: "Orders, products and customers, and what to suggest to whom.",
        },
      ],
    },
  ],
};
