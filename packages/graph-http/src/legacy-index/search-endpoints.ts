import { floatOf, type LegacyHit, LuceneSyntaxError } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { RestError } from "../rest/rest-error.ts";
import { hitUrl, type IndexKind } from "./index-kind.ts";
import { notFound } from "./stored-index.ts";

/** Finding in an index: by key and value, or by a query for one key or for all. */
export function searchRoutes(kind: IndexKind, base: string): readonly RestRoute[] {
  return [
    { method: "GET", path: `${base}/:name`, handle: (call) => search(call, kind, nameOf(call)) },
    { method: "GET", path: `${base}/:name/:key`, handle: (call) => search(call, kind, nameOf(call)) },
    { method: "GET", path: `${base}/:name/:key/:value`, handle: (call) => get(call, kind) },
  ];
}

/** What the `query` of the address finds; without one, nothing. */
export function search(call: RestCall, kind: IndexKind, name: string): RestAnswer {
  requireIndex(call, kind, name);
  const text = call.query.get("query");
  if (text === null) {
    return listAnswer(kind, []);
  }
  const order = call.query.get("order") ?? "";
  const hits = hitsOf(call, kind, name, text).filter(({ id }) => kind.exists(id, call));
  if (!ORDERS.has(order)) {
    return listAnswer(
      kind,
      hits.map(({ id }) => kind.represent(id, call)),
    );
  }
  const ordered = order === "index" ? hits : hits.toSorted((left, right) => right.score - left.score);
  // A query for one key orders its hits, but does not tell their scores (golden, legacy-index).
  const showsScores = call.parameters["key"] === undefined;
  return listAnswer(
    kind,
    ordered.map(({ id, score }) =>
      showsScores ? new Map([...kind.represent(id, call), ["score", floatOf(score)]]) : kind.represent(id, call),
    ),
  );
}

const ORDERS: ReadonlySet<string> = new Set(["index", "relevance", "score"]);

function hitsOf(call: RestCall, kind: IndexKind, name: string, text: string): readonly LegacyHit[] {
  try {
    return call.unit.transaction.legacyIndexes.query(kind.entity, name, text, call.parameters["key"]);
  } catch (error) {
    if (!(error instanceof LuceneSyntaxError)) {
      throw error;
    }
    throw new RestError(500, [
      { exception: "RuntimeException", message: `org.apache.lucene.queryParser.ParseException: ${error.message}` },
      { exception: "ParseException", message: error.message },
    ]);
  }
}

function get(call: RestCall, kind: IndexKind): RestAnswer {
  const name = nameOf(call);
  const { key = "", value = "" } = call.parameters;
  requireIndex(call, kind, name);
  const ids = call.unit.transaction.legacyIndexes.get(kind.entity, name, key, value);
  return listAnswer(
    kind,
    ids
      .filter((id) => kind.exists(id, call))
      .map((id) => new Map([...kind.represent(id, call), ["indexed", hitUrl(call, kind, name, key, value, id)]])),
  );
}

/** @throws RestError 404 */
function requireIndex(call: RestCall, kind: IndexKind, name: string): void {
  if (!call.unit.transaction.legacyIndexes.list(kind.entity).has(name)) {
    throw notFound(null);
  }
}

function nameOf({ parameters }: RestCall): string {
  return parameters["name"] ?? "";
}

function listAnswer({ entity }: IndexKind, value: readonly JsonValue[]): RestAnswer {
  return { status: 200, representation: { type: entity, shape: "entities", value } };
}
