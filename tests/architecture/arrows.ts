/**
 * Who may import whom: a part of the product → the parts it may import (docs/architecture.md draws this table).
 * Everything may import `base`. The three products never import each other: they meet over HTTP.
 */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  base: [],
  config: [],
  installation: [],
  database: [],
  http: [],
  "token-validation": [],
  cypher: [],
  "graph-store": [],
  "graph-engine": ["cypher", "graph-store"],
  graph: ["cypher", "graph-store", "graph-engine", "installation"],
  "graph-http": ["http", "token-validation", "cypher", "graph-store", "graph-engine"],
  identity: ["http", "database"],
  "blob-storage": ["http", "database", "token-validation"],
  "server-process": ["config", "installation", "http"],
  "identity-server": ["config", "installation", "http", "database", "server-process", "identity"],
  "storage-server": [
    "config",
    "installation",
    "http",
    "database",
    "server-process",
    "blob-storage",
    "token-validation",
  ],
  console: ["cypher"],
  "graph-server": [
    "console",
    "config",
    "installation",
    "http",
    "server-process",
    "cypher",
    "graph-store",
    "graph-engine",
    "graph-http",
    "token-validation",
  ],
  cli: ["config", "installation", "http", "server-process", "identity-server", "storage-server", "graph-server"],
};

/** Inside a package: folders in order, each may import only itself and those before it. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  "graph-engine": [
    "values",
    "functions",
    "procedures",
    "binder",
    "logical-plan",
    "planner",
    "optimizer",
    "runtime",
    "compiler",
    "interpreter",
  ],
};
