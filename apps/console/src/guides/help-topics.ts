import { type GuidePart } from "./guide.ts";

export interface HelpTopic {
  readonly name: string;
  readonly title: string;
  readonly parts: readonly GuidePart[];
}

const text = (content: string): GuidePart => ({ kind: "text", text: content });
const statement = (content: string, note?: string): GuidePart => ({ kind: "statement", statement: content, note });

/** What `:help <name>` tells. */
export const HELP_TOPICS: readonly HelpTopic[] = [
  {
    name: "keys",
    title: "Keys",
    parts: [
      text(
        "`/` goes to the editor from anywhere. `Enter` runs a single line, `Ctrl+Enter` anything; `Shift+Enter` begins another line.",
      ),
      text(
        "`↑` and `↓` bring back what was run before, with `Ctrl` also from several lines. `Ctrl+Space` completes. `Escape` closes what is open.",
      ),
      text(
        "In a graph: `N` and `P` go from node to node, `E` expands, `H` hides, arrows pan, `+` and `-` zoom, `0` fits everything into the view.",
      ),
    ],
  },
  {
    name: "graph",
    title: "The graph view",
    parts: [
      text(
        "Drag the ground to pan, a node to move it; a moved node stays where it was put until it is unpinned. `Ctrl` and the wheel zoom, in full screen the wheel alone does.",
      ),
      text(
        "A click shows an entity's properties, a double click brings its neighbours. A click on a label or type opens its colour, size and caption; `:style reset` goes back.",
      ),
      text(
        "The picture can be saved as PNG, SVG, or a script that makes it anew: the arrow at the right of the views.",
      ),
    ],
  },
  {
    name: "import",
    title: "Import",
    parts: [
      text(
        "Drop a CSV file anywhere: its first rows are shown, you say what the columns are, and the rows are sent in batches, with a bar that tells how far it is. A `.cypher` file goes into the editor.",
      ),
      text("Files on the server are read by a statement; where they may be is a setting of the server."),
      statement("LOAD CSV WITH HEADERS FROM 'file:///people.csv' AS row\nMERGE (p:Person {name: row.name})"),
    ],
  },
  {
    name: "params",
    title: "Parameters",
    parts: [
      text(
        "A parameter is a value that stands outside of the statement. `:param` takes any expression; `:params` lists them.",
      ),
      statement(":param since => 1950 + 4"),
      statement("MATCH (f:Film) WHERE f.year >= $since RETURN f LIMIT 10"),
    ],
  },
  {
    name: "rest",
    title: "Raw requests",
    parts: [
      text("`:get`, `:post`, `:put`, `:delete` and `:head` send requests to this server as they are."),
      statement(":get /db/data/"),
      statement(':post /db/data/transaction/commit {"statements":[{"statement":"RETURN 1"}]}'),
    ],
  },
  {
    name: "cypher",
    title: "The language",
    parts: [
      text(
        "Ask for a clause: `:help match`, `:help where`, `:help return`, `:help with`, `:help unwind`, `:help create`, `:help merge`, `:help set`, `:help remove`, `:help delete`, `:help foreach`, `:help call`, `:help index`, `:help constraint`, `:help profile`.",
      ),
      statement(":play cypher", "Or take the guide"),
    ],
  },
  clause("match", "MATCH finds every place where a pattern fits.", "MATCH (a)-[r]->(b)\nRETURN a, r, b LIMIT 10"),
  clause(
    "optional match",
    "OPTIONAL MATCH gives nulls where its pattern does not fit, instead of no row.",
    "MATCH (a)\nOPTIONAL MATCH (a)-[r]->(b)\nRETURN a, r, b LIMIT 10",
  ),
  clause(
    "where",
    "WHERE keeps the rows for which a predicate is true; neither false nor null will do.",
    "MATCH (f:Film)\nWHERE f.year > 1955 AND f.title STARTS WITH 'The'\nRETURN f",
  ),
  clause(
    "return",
    "RETURN says what a statement gives, in which order, and how much of it.",
    "MATCH (f:Film)\nRETURN f.title AS title\nORDER BY title SKIP 5 LIMIT 5",
  ),
  clause(
    "with",
    "WITH ends a part of a statement and hands on what the next part needs.",
    "MATCH (p:Person)-[:ACTED_IN]->(f)\nWITH p, count(f) AS films\nWHERE films > 2\nRETURN p.name AS name, films",
  ),
  clause(
    "unwind",
    "UNWIND makes a row of each element of a list.",
    "UNWIND [1, 2, 3] AS number\nRETURN number * number AS square",
  ),
  clause(
    "create",
    "CREATE makes nodes and relationships.",
    "CREATE (a:Person {name: 'Ada'})-[:KNOWS]->(b:Person {name: 'Charles'})\nRETURN a, b",
  ),
  clause(
    "merge",
    "MERGE finds a pattern or makes all of it.",
    "MERGE (p:Person {name: 'Ada'})\nON CREATE SET p.made = timestamp()\nON MATCH SET p.seen = timestamp()\nRETURN p",
  ),
  clause(
    "set",
    "SET changes properties and adds labels.",
    "MATCH (p:Person {name: 'Ada'})\nSET p.born = 1815, p:Mathematician\nRETURN p",
  ),
  clause(
    "remove",
    "REMOVE takes away properties and labels.",
    "MATCH (p:Person {name: 'Ada'})\nREMOVE p.born, p:Mathematician\nRETURN p",
  ),
  clause(
    "delete",
    "DELETE removes entities; DETACH DELETE removes a node's relationships along with it.",
    "MATCH (p:Person {name: 'Ada'})\nDETACH DELETE p",
  ),
  clause(
    "foreach",
    "FOREACH runs updates for each element of a list.",
    "FOREACH (name IN ['Ada', 'Grace'] | MERGE (:Person {name: name}))",
  ),
  clause("call", "CALL runs a procedure, or a part of a statement of its own.", "CALL db.labels()"),
  clause("index", "An index finds nodes by a property's value.", "CREATE INDEX ON :Person(name)"),
  clause(
    "constraint",
    "A constraint keeps values unique, and finds them like an index.",
    "CREATE CONSTRAINT ON (p:Person) ASSERT p.name IS UNIQUE",
  ),
  clause(
    "profile",
    "EXPLAIN shows the plan of a statement, PROFILE runs it and counts the rows.",
    "PROFILE MATCH (p:Person)-[:ACTED_IN]->(f)\nRETURN p.name AS name, count(f) AS films",
  ),
];

function clause(name: string, about: string, example: string): HelpTopic {
  return { name, title: name.toUpperCase(), parts: [text(about), statement(example)] };
}

/** By its name, or a word users of other consoles know it by. */
export function findHelp(topic: string): HelpTopic | undefined {
  const wanted = topic.trim().toLowerCase();
  const known = OTHER_NAMES[wanted] ?? wanted;
  return HELP_TOPICS.find(({ name }) => name === known);
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  keyboard: "keys",
  shortcuts: "keys",
  param: "params",
  parameters: "params",
  explain: "profile",
  "detach delete": "delete",
  "load csv": "import",
  "create index": "index",
  "create constraint": "constraint",
  get: "rest",
  post: "rest",
  put: "rest",
  style: "graph",
};
