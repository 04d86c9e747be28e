import { answer, answerNotFound, type Exchange } from "../protocol/exchange.ts";
import { type Route, staticRoutes } from "../protocol/routes.ts";
import { acceptsJson, mediaRanges } from "../protocol/accept.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { answerRepresentation } from "./answer-representation.ts";
import { type Representation } from "./representation-format.ts";

/** Where a client begins: `/` for discovery and `/db/data/` for the addresses of everything else (graph-http §2). */
export function serviceRootRoutes(reportedVersion: string): readonly Route[] {
  return [
    { method: "GET", path: "/", handle: discover },
    { method: "GET", path: "/db/data/", handle: (exchange) => serviceRoot(exchange, reportedVersion) },
    { method: "GET", path: "/db/manage/", handle: managementRoot },
    { method: "GET", path: "/db/manage/server/version", handle: (exchange) => version(exchange, reportedVersion) },
    ...staticRoutes({ "/webadmin/": webAdministration, "/webadmin/*": ({ reply }) => answerNotFound(reply) }),
  ];
}

/** Programs get the two links, browsers are sent to the console. */
function discover(exchange: Exchange): void {
  const accept = exchange.request.headers.accept?.trim() ?? "";
  const [first] = mediaRanges(accept === "" ? "*/*" : accept);
  if (first !== undefined && PROGRAM_TYPES.has(first.type)) {
    const links = new Map([
      ["management", `${exchange.baseUrl}/db/manage/`],
      ["data", `${exchange.baseUrl}/db/data/`],
    ]);
    answerRepresentation(exchange, { type: "discovery", shape: "map", value: links });
    return;
  }
  answer(exchange, 303, { "content-type": first?.type ?? "text/html", location: `${exchange.baseUrl}/browser/` });
}

const PROGRAM_TYPES: ReadonlySet<string> = new Set(["application/json", "application/*", "*/*", "*"]);

function serviceRoot(exchange: Exchange, reportedVersion: string): void {
  answerRepresentation(exchange, serviceRootRepresentation(exchange.baseUrl, reportedVersion));
}

/** The addresses of everything below `/db/data/`. */
export function serviceRootRepresentation(baseUrl: string, reportedVersion: string): Representation {
  const value = new Map<string, JsonValue>([["extensions", new Map()]]);
  for (const [name, path] of SERVICE_LINKS) {
    value.set(name, `${baseUrl}/db/data/${path}`);
  }
  value.set("neo4j_version", reportedVersion);
  return { type: "graphdb", shape: "root", value };
}

/** Member → path below `/db/data/`. Clients look for some of these before anything else. */
const SERVICE_LINKS: readonly (readonly [name: string, path: string])[] = [
  ["node", "node"],
  ["node_index", "index/node"],
  ["relationship_index", "index/relationship"],
  ["extensions_info", "ext"],
  ["relationship_types", "relationship/types"],
  ["batch", "batch"],
  ["cypher", "cypher"],
  ["indexes", "schema/index"],
  ["constraints", "schema/constraint"],
  ["transaction", "transaction"],
  ["node_labels", "labels"],
];

function managementRoot(exchange: Exchange): void {
  const server = `${exchange.baseUrl}/db/manage/server`;
  const services = new Map([
    ["console", `${server}/console`],
    ["jmx", `${server}/jmx`],
    ["monitor", `${server}/monitor`],
  ]);
  answerRepresentation(exchange, { type: "services", shape: "map", value: new Map([["services", services]]) });
}

function version(exchange: Exchange, reportedVersion: string): void {
  if (!acceptsJson(exchange.request.headers.accept)) {
    answer(exchange, 406, {});
    return;
  }
  const body = writeJson(
    new Map([
      ["edition", "community"],
      ["version", reportedVersion],
    ]),
    "pretty",
  );
  answer(exchange, 200, { "content-type": "application/json" }, body);
}

/** The old console's address leads to the new one (rulings, Graph 6). */
function webAdministration(exchange: Exchange): void {
  void exchange.reply.header("content-type", "text/html").send(WEB_ADMINISTRATION_PAGE);
}

const WEB_ADMINISTRATION_PAGE = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Administration</title></head>
<body><p>The console is at <a href="/browser/">/browser/</a>.</p></body>
</html>
`;
