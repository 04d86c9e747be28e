export const graphKeys = {
  "graph.address": {
    type: "text",
    default: "127.0.0.1",
    meaning: "The address of all listeners; the default stands for 127.0.0.1 and ::1.",
    aliases: [{ name: "org.neo4j.server.webserver.address" }],
  },
  "graph.http.enabled": { type: "switch", default: "true", meaning: "Whether the graph listens for http." },
  "graph.http.port": {
    type: "port",
    default: "7474",
    meaning: "The port for http.",
    aliases: [{ name: "org.neo4j.server.webserver.port" }],
  },
  "graph.https.enabled": {
    type: "switch",
    default: "true",
    meaning: "Whether the graph listens for https.",
    aliases: [{ name: "org.neo4j.server.webserver.https.enabled" }],
  },
  "graph.https.port": {
    type: "port",
    default: "7473",
    meaning: "The port for https.",
    aliases: [{ name: "org.neo4j.server.webserver.https.port" }],
  },
  "graph.http.max_header_bytes": {
    type: "size",
    default: "20480",
    meaning: "The largest head of a request; more is answered by 431.",
    aliases: [{ name: "org.neo4j.server.webserver.max.request.header" }],
  },
  "graph.http.max_body_bytes": {
    type: "size",
    default: "64m",
    meaning: "The largest JSON body; more is answered by 413.",
  },
  "graph.http.log.enabled": {
    type: "switch",
    default: "false",
    meaning: "Writes the access log in common log format to `logs/` below the data folder.",
    aliases: [{ name: "org.neo4j.server.http.log.enabled" }],
  },
  "graph.bolt.port": {
    type: "port",
    default: "7687",
    meaning: "The port for the binary protocol.",
    reserved: "warn",
  },
  "graph.auth_enabled": {
    type: "switch",
    default: "true",
    meaning:
      "Whether requests need credentials. Without them only pages of this machine and `graph.allowed_hosts` get in.",
    aliases: [{ name: "dbms.security.auth_enabled" }],
  },
  "graph.initial_password": {
    type: "text",
    meaning:
      "The first account's password, without the duty to change it. Default: the era's own, good for nothing but being changed.",
    isSecret: true,
  },
  "graph.allowed_hosts": {
    type: "list",
    default: "",
    meaning: "With authentication off: host names that requests may name in `Host` and `Origin`. `*` allows all.",
  },
  "graph.compatibility": {
    type: "choice",
    allowed: ["2.3"],
    meaning:
      "Sets a group of keys at once for unmodified applications of the 2.3 era; keys that are set themselves win. See below.",
  },
  "cypher.version": {
    type: "choice",
    default: "modern",
    allowed: ["modern", "5", "25", "1.9", "2.2", "2.3"],
    meaning:
      "The language mode of statements without a `CYPHER` prefix: `modern` (also `5`, `25`), or `2.3` (also `2.2`, `1.9`) for that server's answers.",
    aliases: [{ name: "cypher_parser_version" }],
  },
  "graph.status_code_prefix": {
    type: "choice",
    default: "Graph",
    allowed: ["Graph", "Neo"],
    meaning: "The first word of status codes over HTTP.",
  },
  "graph.reported_version": {
    type: "text",
    default: "2.3.12",
    meaning: "What the service root says as its version; clients of the era switch features by it.",
  },
  "graph.database.location": {
    type: "path",
    default: "graph",
    relativeTo: "data",
    meaning: "The folder of the graph's store.",
    aliases: [{ name: "org.neo4j.server.database.location" }],
  },
  "graph.isolation": {
    type: "choice",
    default: "read-committed",
    allowed: ["read-committed", "snapshot", "serializable"],
    meaning: "The isolation of transactions that do not ask for one by `X-Isolation`.",
  },
  "graph.transaction_timeout": {
    type: "duration",
    default: "60s",
    meaning: "How long an open transaction may be idle before it is rolled back.",
    aliases: [{ name: "org.neo4j.server.transaction.timeout" }],
  },
  "graph.statement_timeout": {
    type: "duration",
    default: "0",
    meaning: "How long one statement may run; 0 sets no limit.",
    aliases: [{ name: "org.neo4j.server.webserver.limit.executiontime", unit: "ms" }],
  },
  "graph.memory.statement": {
    type: "size",
    default: "0",
    meaning:
      "What one statement may keep in memory, about: rows to sort, groups, lists. More is answered by `TransientError.General.OutOfMemoryError`. 0 is a third of the heap.",
  },
  "graph.memory.transaction": {
    type: "size",
    default: "0",
    meaning:
      "What one transaction may write before it is committed, about; more is answered likewise. 0 is a third of the heap.",
  },
  "graph.lock_timeout": {
    type: "duration",
    default: "30s",
    meaning: "How long a transaction waits for another one's lock before it fails with a transient error.",
  },
  "graph.load_csv.urls": {
    type: "choice",
    default: "root",
    allowed: ["root", "file", "any", "none"],
    meaning:
      "What `LOAD CSV` may read: file URLs below `graph.load_csv.root`, every file, files and the network, or nothing.",
    aliases: [
      { name: "allow_file_urls", values: { true: "any", false: "none" } },
      { name: "dbms.security.allow_csv_import_from_file_urls", values: { true: "root", false: "none" } },
    ],
  },
  "graph.load_csv.root": {
    type: "path",
    default: "import",
    relativeTo: "data",
    meaning: "The folder that file URLs of `LOAD CSV` are below.",
    aliases: [{ name: "dbms.security.load_csv_file_url_root" }],
  },
  "graph.scripting": {
    type: "switch",
    default: "false",
    meaning: "Whether traversals may carry JavaScript; it runs isolated, with limits on time and memory.",
  },
  "graph.plugins.directory": {
    type: "path",
    default: "plugins",
    relativeTo: "data",
    meaning: "The folder of extension modules and jars.",
  },
  "graph.identity.issuer": {
    type: "url",
    meaning: "Whose bearer tokens are accepted. Default: the local identity provider.",
  },
  "graph.identity.audience": {
    type: "text",
    meaning: "The audience that bearer tokens must name. Default: the graph's resource at the local provider.",
  },
  "graph.engine.url": {
    type: "url",
    meaning: "`neo4j://…`: an existing cluster that runs the statements in place of the embedded engine.",
    isSecret: true,
    reserved: "refuse",
  },
} as const;
