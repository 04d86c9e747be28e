/** The statements of a workload: one that appends `$v` to `$k`, and ones that read. All keys are below the number of keys. */
export interface Workload {
  readonly name: string;
  /** Whether what is read is a list in the order of its appends, else a set. */
  readonly ordered: boolean;
  /** Whether there is one value at a time, which is read before it is written (registers.ts). */
  readonly register?: boolean;
  readonly setUp: readonly string[];
  /** Different ways to do the same; one is picked by chance. */
  readonly append: readonly string[];
  /** Columns: key, value or list of values; of the key `$k`. */
  readonly readOne: readonly string[];
  /** The same of all keys, in one statement. */
  readonly readAll: readonly string[];
}

export const KEYS = 4;

const MAKE_KEYS = `UNWIND range(0, ${KEYS - 1}) AS k CREATE (:Key {k: k, list: []})`;
const INDEX = "CREATE INDEX ON :Key(k)";

const READ_LIST = "MATCH (n:Key {k: $k}) RETURN n.k, n.list";
const READ_LISTS = "MATCH (n:Key) RETURN n.k, n.list";
const APPEND_TO_LIST = "MATCH (n:Key {k: $k}) SET n.list = n.list + $v";

export const workloads: readonly Workload[] = [
  {
    name: "lists in properties",
    ordered: true,
    setUp: [MAKE_KEYS],
    append: [APPEND_TO_LIST],
    readOne: [READ_LIST],
    readAll: [READ_LISTS],
  },
  {
    name: "lists in properties, found by an index",
    ordered: true,
    setUp: [INDEX, MAKE_KEYS],
    append: [APPEND_TO_LIST, "MERGE (n:Key {k: $k}) ON MATCH SET n.list = n.list + $v"],
    readOne: [READ_LIST, "MATCH (n:Key) WHERE n.k IN [$k] RETURN n.k, n.list"],
    readAll: [READ_LISTS],
  },
  {
    name: "lists in properties of relationships",
    ordered: true,
    setUp: [`UNWIND range(0, ${KEYS - 1}) AS k CREATE (:Key {k: k})-[:HAS {list: []}]->(:List)`],
    append: ["MATCH (:Key {k: $k})-[r:HAS]->() SET r.list = r.list + $v"],
    readOne: ["MATCH (n:Key {k: $k})-[r:HAS]->() RETURN n.k, r.list"],
    readAll: ["MATCH (n:Key)-[r:HAS]->() RETURN n.k, r.list"],
  },
  {
    name: "registers",
    ordered: true,
    register: true,
    setUp: [INDEX, MAKE_KEYS],
    append: ["MATCH (n:Key {k: $k}) SET n.v = $v"],
    readOne: ["MATCH (n:Key {k: $k}) WHERE n.v > 0 RETURN n.k, n.v"],
    readAll: ["MATCH (n:Key) WHERE n.v > 0 RETURN n.k, n.v"],
  },
  {
    name: "sets of nodes with a value",
    ordered: false,
    setUp: ["CREATE INDEX ON :Item(k)"],
    append: ["CREATE (:Item {k: $k, v: $v})"],
    readOne: [
      "MATCH (i:Item {k: $k}) RETURN i.k, i.v",
      "MATCH (i:Item) WHERE i.k >= $k AND i.k < $k + 1 RETURN i.k, i.v",
    ],
    readAll: ["MATCH (i:Item) RETURN i.k, i.v", "MATCH (i) WHERE i.v > 0 RETURN i.k, i.v"],
  },
  {
    name: "sets of nodes with a value, without an index",
    ordered: false,
    setUp: [],
    append: ["CREATE (:Item {k: $k, v: $v})", "MERGE (i:Item {k: $k, v: $v})"],
    readOne: ["MATCH (i:Item {k: $k}) RETURN i.k, i.v"],
    readAll: ["MATCH (i:Item) RETURN i.k, i.v"],
  },
  {
    name: "sets of labelled nodes",
    ordered: false,
    setUp: ["CREATE INDEX ON :Free(v)", "UNWIND range(1, 2000) AS v CREATE (:Free {v: v})"],
    append: ["MATCH (f:Free {v: $v}) SET f:Taken, f.k = $k"],
    readOne: ["MATCH (t:Taken) WHERE t.k = $k RETURN t.k, t.v"],
    readAll: ["MATCH (t:Taken) RETURN t.k, t.v"],
  },
  {
    name: "sets of relationships",
    ordered: false,
    setUp: [INDEX, MAKE_KEYS],
    append: ["MATCH (n:Key {k: $k}) CREATE (n)-[:HAS]->(:Value {v: $v})"],
    readOne: ["MATCH (n:Key {k: $k})-[:HAS]->(x) RETURN n.k, x.v"],
    readAll: ["MATCH (n:Key)-[:HAS]->(x) RETURN n.k, x.v", "MATCH (x:Value)<-[:HAS]-(n:Key) RETURN n.k, x.v"],
  },
];
