/** A request in which nodes and relationships are named by the order they were made in: `{n0}`, `{r2}`. */
export interface GeneratedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How many of what there are to refer to. */
export interface Population {
  readonly nodes: number;
  readonly relationships: number;
}

/** Numbers that the same seed brings again (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** At least 0, below `sides`. */
  below(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const KEYS = ["a", "b", "name", "with blank", "ü"];
const LABELS = ["A", "B", "Long Label"];
const TYPES = ["T", "LIKES"];
const VALUES = [
  1,
  -2,
  0,
  1.5,
  "text",
  "",
  "ü😀",
  true,
  false,
  null,
  [],
  [1, 2],
  ["a", "b"],
  [1.5, 2.5],
  [1, "a"],
  [true],
  [null],
  [[1]],
  {},
  { x: 1 },
];
const DIRECTIONS = ["all", "in", "out", "sideways"];

type Generator = (dice: Dice, population: Population) => GeneratedRequest;

const JSON_HEADERS = { accept: "application/json", "content-type": "application/json" };
const request = (method: string, path: string, body?: unknown): GeneratedRequest => ({
  method,
  path: `/db/data${path}`,
  headers: JSON_HEADERS,
  ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
});

/** Sometimes one that is not there. */
const node = (dice: Dice, { nodes }: Population): string =>
  nodes === 0 || dice.below(12) === 0 ? "9999999" : `{n${dice.below(nodes)}}`;
const relationship = (dice: Dice, { relationships }: Population): string =>
  relationships === 0 || dice.below(12) === 0 ? "9999999" : `{r${dice.below(relationships)}}`;
const properties = (dice: Dice): object =>
  Object.fromEntries(Array.from({ length: dice.below(4) }, () => [dice.one(KEYS), dice.one(VALUES)]));
const encoded = (dice: Dice, names: readonly string[]): string => encodeURIComponent(dice.one(names));
const entity = (dice: Dice, population: Population): string =>
  dice.below(2) === 0 ? `/node/${node(dice, population)}` : `/relationship/${relationship(dice, population)}`;

const STATEMENTS: readonly (readonly [text: string, parameters: object])[] = [
  ["MATCH (n:A) RETURN count(n)", {}],
  ["MATCH (n) RETURN n ORDER BY id(n) LIMIT 3", {}],
  ["MATCH (n)-[r]->(m) RETURN type(r), count(*) ORDER BY type(r)", {}],
  ["MATCH (n) WHERE n.a = {v} RETURN count(*)", { v: 1 }],
  ["MATCH p = (n:A)-[*1..2]->(m) RETURN length(p) AS l, count(*) ORDER BY l", {}],
  ["UNWIND {l} AS x RETURN x, x * 2", { l: [1, 2.5, null] }],
  ["UNWIND {l} AS x RETURN 10 / x", { l: [5, 0] }],
  ["RETURN {m}.a AS a, {l}[0] AS f, {s} + 'x' AS t", { m: { a: 1 }, l: [1.5], s: "s" }],
  ["RETURN {missing}", {}],
  ["RETURN nothing", {}],
  ["RETRUN 1", {}],
  ["RETURN 1 +", {}],
  ["RETURN unknown(1)", {}],
  ["RETURN 'a' AS a, 1 AS a", {}],
  ["MERGE (n:Merged {k: {k}}) RETURN n.k, labels(n)", { k: 1 }],
  ["MATCH (n:Merged) SET n.x = {x} RETURN n.x", { x: [1, 2] }],
  ["MATCH (n:Merged) DELETE n", {}],
  ["CREATE (n:A {p}) RETURN n.a", { p: { a: 3 } }],
  ["START n=node({id}) RETURN id(n)", { id: 9_999_999 }],
  ["MERGE (n:Merged {k: 1}) CREATE UNIQUE (n)-[:U]-(x {k: {k}}) RETURN x.k", { k: null }],
  ["MERGE (n:Merged {k: 1}) CREATE UNIQUE (n)-[:U]->(x), (n)-[:V]->(x {k: 2}) RETURN count(x)", {}],
  ["MATCH (n:Merged) CREATE UNIQUE (n {k: 1})-[:U]->(x)", {}],
  ["CREATE (n:A) CREATE (n:A)-[:T]->(m)", {}],
  ["CREATE (n:A) CREATE (n:B)-[:T]->(m)", {}],
  ["CREATE (a)-[r:T]->(r)", {}],
  ["RETURN 1/0 AS x, y", {}],
  ["RETURN all(x IN {l} WHERE {v}) AS v", { l: [1], v: { a: 1 } }],
  ["RETURN any(x IN [1] WHERE 'a') AS v", {}],
  ["RETURN {v}[{i}]", { v: true, i: null }],
  ["MATCH (n:Merged) SET n = {v}", { v: "text" }],
  ["RETURN percentileDisc({v}, 0.5)", { v: "a" }],
  ["CREATE INDEX ON :A(a)", {}],
  ["DROP INDEX ON :A(a)", {}],
  ["CREATE CONSTRAINT ON (n:B) ASSERT n.name IS UNIQUE", {}],
  ["DROP CONSTRAINT ON (n:B) ASSERT n.name IS UNIQUE", {}],
];
const INDEXES = ["first", "second"];
const CONFIGS = [undefined, { type: "exact", provider: "lucene" }, { type: "fulltext", provider: "lucene" }];
const QUERIES = [
  "AND",
  "k:v OR OR l:v",
  "k:v~1",
  "k:v",
  "k:*",
  "k:two",
  "l:[a TO z]",
  "k:v AND l:v",
  'k:"two words"',
  "k:",
  "v",
];
const CONTENTS = [undefined, ["row"], ["graph"], ["REST"], ["row", "graph", "rest"], ["nonsense"]];

function statement(dice: Dice): object {
  const [text, parameters] = dice.one(STATEMENTS);
  return {
    statement: text,
    parameters,
    includeStats: dice.below(2) === 0,
    resultDataContents: dice.one(CONTENTS),
  };
}

const description = (dice: Dice): object => ({
  order: dice.one(["breadth_first", "depth_first"]),
  max_depth: dice.below(4),
  ...(dice.below(2) === 0 ? {} : { uniqueness: dice.one(["node_global", "relationship_path", "node_path"]) }),
  ...(dice.below(2) === 0
    ? {}
    : { relationships: { type: dice.one(TYPES), direction: dice.one(["in", "out", "all"]) } }),
  ...(dice.below(2) === 0
    ? {}
    : { return_filter: { language: "builtin", name: dice.one(["all", "all_but_start_node"]) } }),
});

const GENERATORS: readonly Generator[] = [
  (dice) => request("POST", "/node", properties(dice)),
  (dice) => request("POST", "/node", properties(dice)),
  (dice, population) =>
    request("POST", `/node/${node(dice, population)}/relationships`, {
      to: `{base}/db/data/node/${node(dice, population)}`,
      type: dice.one(TYPES),
      data: properties(dice),
    }),
  (dice, population) => request("GET", entity(dice, population)),
  (dice, population) => request("DELETE", entity(dice, population)),
  (dice, population) => request("GET", `${entity(dice, population)}/properties`),
  (dice, population) => request("PUT", `${entity(dice, population)}/properties`, properties(dice)),
  (dice, population) => request("DELETE", `${entity(dice, population)}/properties`),
  (dice, population) => request("GET", `${entity(dice, population)}/properties/${encoded(dice, KEYS)}`),
  (dice, population) =>
    request("PUT", `${entity(dice, population)}/properties/${encoded(dice, KEYS)}`, JSON.stringify(dice.one(VALUES))),
  (dice, population) => request("DELETE", `${entity(dice, population)}/properties/${encoded(dice, KEYS)}`),
  (dice, population) => request("GET", `/node/${node(dice, population)}/labels`),
  (dice, population) =>
    request("POST", `/node/${node(dice, population)}/labels`, JSON.stringify(dice.one([...LABELS, "", LABELS]))),
  (dice, population) => request("PUT", `/node/${node(dice, population)}/labels`, dice.one([LABELS, [], ["A"]])),
  (dice, population) => request("DELETE", `/node/${node(dice, population)}/labels/${encoded(dice, LABELS)}`),
  (dice) => request("GET", `/label/${encoded(dice, LABELS)}/nodes`),
  (dice) =>
    request(
      "GET",
      `/label/${encoded(dice, LABELS)}/nodes?${encoded(dice, KEYS)}=${encodeURIComponent(JSON.stringify(dice.one(VALUES)))}`,
    ),
  (dice, population) => request("GET", `/node/${node(dice, population)}/relationships/${dice.one(DIRECTIONS)}`),
  (dice, population) =>
    request(
      "GET",
      `/node/${node(dice, population)}/relationships/${dice.one(DIRECTIONS)}/${dice.one([...TYPES, "T&LIKES"])}`,
    ),
  (dice, population) => request("GET", `/node/${node(dice, population)}/degree/${dice.one(DIRECTIONS)}`),
  (dice) =>
    request("GET", dice.one(["/schema/index", "/schema/constraint", "/schema/index/A", "/schema/constraint/B"])),
  (dice) =>
    request("POST", `/schema/index/${dice.one(["A", "C"])}`, { property_keys: dice.one([["a"], ["a", "b"], []]) }),
  (dice) => request("DELETE", `/schema/index/${dice.one(["A", "C"])}/${dice.one(KEYS.slice(0, 2))}`),
  (dice, population) =>
    request(
      "POST",
      `/node/${node(dice, population)}/traverse/${dice.one(["node", "relationship", "path", "fullpath", "x"])}`,
      description(dice),
    ),
  (dice, population) =>
    request("POST", `/node/${node(dice, population)}/${dice.one(["path", "paths"])}`, {
      to: `{base}/db/data/node/${node(dice, population)}`,
      max_depth: 1 + dice.below(3),
      algorithm: dice.one(["shortestPath", "allPaths", "allSimplePaths"]),
      relationships: { type: dice.one(TYPES), direction: dice.one(["in", "out"]) },
    }),
  (dice) =>
    request("POST", `/index/${dice.one(["node", "relationship"])}`, {
      name: dice.one(INDEXES),
      config: dice.one(CONFIGS),
    }),
  (dice, population) => {
    const kind = dice.one(["node", "relationship"]);
    const id = kind === "node" ? node(dice, population) : relationship(dice, population);
    const entry = {
      key: dice.one(["k", "l"]),
      value: dice.one(["v", "two words", 7]),
      uri: `{base}/db/data/${kind}/${id}`,
    };
    return request(
      "POST",
      `/index/${kind}/${dice.one(INDEXES)}${dice.one(["", "?uniqueness=get_or_create", "?uniqueness=create_or_fail"])}`,
      entry,
    );
  },
  (dice) =>
    request(
      "GET",
      `/index/node/${dice.one(INDEXES)}/${dice.one(["k", "l"])}/${dice.one(["v", "two%20words", "7", "none"])}`,
    ),
  (dice) => request("GET", `/index/node/${dice.one(INDEXES)}?query=${encodeURIComponent(dice.one(QUERIES))}`),
  (dice, population) =>
    request("DELETE", `/index/node/${dice.one(INDEXES)}/${dice.one(["", "k/", "k/v/"])}${node(dice, population)}`),
  (dice, population) => ({
    ...request("GET", dice.one([`/node/${node(dice, population)}`, `/label/${encoded(dice, LABELS)}/nodes`, "/"])),
    headers: {
      accept: dice.one([
        "application/json",
        "application/json;compact=true",
        "application/json;stream=true",
        "application/json; charset=UTF-8; stream=true",
        "*/*",
        "application/xml",
      ]),
      ...(dice.below(3) === 0 ? { "x-stream": dice.one(["true", "TRUE", "no"]) } : {}),
    },
  }),
  (dice, population) => ({
    ...request(
      "PUT",
      `/node/${node(dice, population)}/properties`,
      dice.one(['{"a":1}', '{"a":1', "[1]", "", "a=1&a=2"]),
    ),
    headers: {
      accept: dice.one(["application/json", "*/*", "application/xml"]),
      "content-type": dice.one(["text/plain", "application/json;charset=utf-8", "*/*", "text/html"]),
    },
  }),
  (dice) => request(dice.one(["GET", "DELETE"]), `/schema/constraint/B/uniqueness/${dice.one(KEYS.slice(0, 3))}`),
  (dice) =>
    request("POST", "/transaction/commit", {
      statements: Array.from({ length: dice.below(4) }, () => statement(dice)),
    }),
  (dice) => {
    const [query, params] = dice.one(STATEMENTS);
    return request("POST", `/cypher${dice.one(["", "?includeStats=true"])}`, { query, params });
  },
  (dice, population) => ({
    ...request(
      "POST",
      "/batch",
      Array.from({ length: 1 + dice.below(3) }, (_, id) => {
        const { method, path, body } = dice.one(GENERATORS.slice(0, 14))(dice, population);
        const to = path.slice("/db/data".length);
        return { method, to, id, ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }) };
      }),
    ),
    headers: { ...JSON_HEADERS, ...(dice.below(2) === 0 ? {} : { "x-stream": "true" }) },
  }),
];

export function generateRequest(dice: Dice, population: Population): GeneratedRequest {
  return dice.one(GENERATORS)(dice, population);
}
