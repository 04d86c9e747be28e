import { type AutoIndexing, autoIndexName } from "@trefoil/graph-store";
import { bodyText } from "../json/body-text.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { NO_CONTENT, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { RestError } from "../rest/rest-error.ts";
import { type IndexKind, NODE_KIND, RELATIONSHIP_KIND } from "./index-kind.ts";
import { search } from "./search-endpoints.ts";

const BASE = "/db/data/index/auto/:entity";

/** Automatic indexes: their switch, the properties they follow, and what they find (graph-http §7). */
export const AUTO_INDEX_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: BASE, handle: (call) => find(call, (kind, name) => search(call, kind, name)) },
  { method: "GET", path: `${BASE}/:key/:value`, handle: get },
  { method: "GET", path: `${BASE}/status`, handle: (call) => scalarAnswer(settings(call).enabled) },
  { method: "PUT", path: `${BASE}/status`, handle: setStatus },
  { method: "GET", path: `${BASE}/properties`, handle: (call) => listAnswer([...settings(call).keys]) },
  { method: "POST", path: `${BASE}/properties`, handle: addProperty },
  { method: "DELETE", path: `${BASE}/properties/:property`, handle: removeProperty },
];

/** Anything but `true` switches it off. */
function setStatus(call: RestCall): RestAnswer {
  return change(call, (auto) => ({ ...auto, enabled: bodyText(call.body).toLowerCase() === "true" }));
}

/** The body is the bare name of the property. */
function addProperty(call: RestCall): RestAnswer {
  const key = bodyText(call.body);
  return change(call, (auto) => ({ ...auto, keys: [...new Set([...auto.keys, key])] }));
}

function removeProperty(call: RestCall): RestAnswer {
  const { property } = call.parameters;
  return change(call, (auto) => ({ ...auto, keys: auto.keys.filter((key) => key !== property) }));
}

function get(call: RestCall): RestAnswer {
  return find(call, (kind, name) => {
    const { key = "", value = "" } = call.parameters;
    const ids = call.unit.transaction.legacyIndexes.get(kind.entity, name, key, value);
    return entitiesAnswer(
      kind,
      ids.filter((id) => kind.exists(id, call)).map((id) => kind.represent(id, call)),
    );
  });
}

/** Nothing is found where automatic indexing was never on. */
function find(call: RestCall, inIndex: (kind: IndexKind, name: string) => RestAnswer): RestAnswer {
  const kind = kindOf(call);
  const name = autoIndexName(kind.entity);
  return call.unit.transaction.legacyIndexes.list(kind.entity).has(name)
    ? inIndex(kind, name)
    : entitiesAnswer(kind, []);
}

function settings(call: RestCall): AutoIndexing {
  return call.unit.transaction.legacyIndexes.auto(kindOf(call).entity);
}

function change(call: RestCall, changed: (auto: AutoIndexing) => AutoIndexing): RestAnswer {
  const { legacyIndexes } = call.unit.transaction;
  const { entity } = kindOf(call);
  legacyIndexes.setAuto(entity, changed(legacyIndexes.auto(entity)));
  return NO_CONTENT;
}

function kindOf({ parameters }: RestCall): IndexKind {
  const kind = [NODE_KIND, RELATIONSHIP_KIND].find(({ entity }) => entity === parameters["entity"]);
  if (kind === undefined) {
    const message = "Unrecognized auto-index type, expected 'node' or 'relationship'";
    throw new RestError(400, [{ exception: "RuntimeException", message }]);
  }
  return kind;
}

function scalarAnswer(value: boolean): RestAnswer {
  return { status: 200, representation: { type: "boolean", shape: "scalar", value } };
}

function listAnswer(value: readonly JsonValue[]): RestAnswer {
  return { status: 200, representation: { type: "strings", shape: "list", value } };
}

function entitiesAnswer({ entity }: IndexKind, value: readonly JsonValue[]): RestAnswer {
  return { status: 200, representation: { type: entity, shape: "entities", value } };
}
