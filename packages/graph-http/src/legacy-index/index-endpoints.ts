import { type JsonValue } from "../json/json-reader.ts";
import { NO_CONTENT, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { isMap, javaText, readMap, requireJson } from "../rest/rest-input.ts";
import { type IndexKind, indexUrl } from "./index-kind.ts";
import { ensureIndex, illegalArgument, notFound, refuseReadOnly } from "./stored-index.ts";

/** Which indexes there are, making and dropping them. */
export function indexRoutes(kind: IndexKind, base: string): readonly RestRoute[] {
  return [
    { method: "GET", path: base, handle: (call) => listIndexes(call, kind) },
    { method: "POST", path: base, handle: (call) => createIndex(call, kind) },
    { method: "DELETE", path: `${base}/:name`, handle: (call) => dropIndex(call, kind) },
  ];
}

function listIndexes(call: RestCall, kind: IndexKind): RestAnswer {
  const configs = call.unit.transaction.legacyIndexes.list(kind.entity);
  if (configs.size === 0) {
    return NO_CONTENT;
  }
  const value = new Map<string, JsonValue>(
    Array.from(configs, ([name, config]) => [name, describe(call, kind, name, Object.entries(config))]),
  );
  return { status: 200, representation: { type: "index", shape: "map", value } };
}

function createIndex(call: RestCall, kind: IndexKind): RestAnswer {
  requireJson(call);
  const input = readMap(call);
  const name = input.get("name") ?? "";
  const given = input.has("config") ? input.get("config") : new Map<string, JsonValue>();
  if (typeof name !== "string" || name === "") {
    throw illegalArgument("Index name must not be empty.");
  }
  if (!isMap(given) || [...given.values()].some((value) => typeof value !== "string")) {
    throw illegalArgument("The config of an index is a map of strings.");
  }
  const config = Object.fromEntries(Array.from(given, ([key, value]) => [key, javaText(value)]));
  ensureIndex(call, kind, name, config);
  return {
    status: 201,
    location: `${indexUrl(call, kind, name)}/`,
    representation: {
      type: "index",
      shape: "map",
      value: describe(call, kind, name, Object.entries(config)),
    },
  };
}

function dropIndex(call: RestCall, kind: IndexKind): RestAnswer {
  requireJson(call);
  const { name = "" } = call.parameters;
  const { legacyIndexes } = call.unit.transaction;
  refuseReadOnly(kind, name);
  if (!legacyIndexes.list(kind.entity).has(name)) {
    throw notFound(`No ${kind.entity} index named '${name}'.`);
  }
  legacyIndexes.drop(kind.entity, name);
  return NO_CONTENT;
}

function describe(
  call: RestCall,
  kind: IndexKind,
  name: string,
  config: readonly (readonly [string, string])[],
): ReadonlyMap<string, JsonValue> {
  return new Map([["template", `${indexUrl(call, kind, name)}/{key}/{value}`], ...config]);
}
