import { type PropertyValue } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { idOf } from "../rest/entity-id.ts";
import { propertiesFrom } from "../rest/property-input.ts";
import { readMapWith } from "../rest/required-keys.ts";
import { NO_CONTENT, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import {
  badInput,
  invalidArguments,
  nodeMissing,
  nodeNotFoundChain,
  PlainError,
  RestError,
} from "../rest/rest-error.ts";
import { isMap, javaText, type JsonMap, requireJson } from "../rest/rest-input.ts";
import { hitUrl, type IndexKind } from "./index-kind.ts";
import { ensureIndex, notFound, refuseReadOnly } from "./stored-index.ts";

/** Putting entities into an index, at will or once per key and value, and taking them out. */
export function entryRoutes(kind: IndexKind, base: string): readonly RestRoute[] {
  const remove = (call: RestCall, id: string | undefined, key?: string, value?: string): RestAnswer =>
    removeEntry(call, kind, id, key, value);
  return [
    { method: "POST", path: `${base}/:name`, handle: (call) => addEntry(call, kind) },
    { method: "GET", path: `${base}/:name/:key/:value/:id`, handle: (call) => getEntry(call, kind) },
    {
      method: "DELETE",
      path: `${base}/:name/:key/:value/:id`,
      handle: (call) => remove(call, call.parameters["id"], call.parameters["key"], call.parameters["value"]),
    },
    // Here the last part is the id, whatever it is called where the same path is read.
    {
      method: "DELETE",
      path: `${base}/:name/:key/:value`,
      handle: (call) => remove(call, call.parameters["value"], call.parameters["key"]),
    },
    { method: "DELETE", path: `${base}/:name/:key`, handle: (call) => remove(call, call.parameters["key"]) },
  ];
}

type Uniqueness = "get_or_create" | "create_or_fail" | undefined;

async function addEntry(call: RestCall, kind: IndexKind): Promise<RestAnswer> {
  requireJson(call);
  const { name = "" } = call.parameters;
  const uniqueness = uniquenessOf(call.query);
  const input = readMapWith(call, uniqueness === undefined ? ["value", "uri", "key"] : ["value", "key"]);
  const key = javaText(input.get("key") ?? null);
  const value = javaText(input.get("value") ?? null);
  if (Buffer.byteLength(value) > MAXIMUM_VALUE_BYTES) {
    throw new PlainError(413, TOO_LARGE, "text/plain");
  }
  refuseReadOnly(kind, name);
  if (uniqueness !== undefined) {
    return await addUnique(call, kind, { name, key, value, uniqueness, input });
  }
  const id = idFrom(input.get("uri") ?? null);
  if (!kind.exists(id, call)) {
    throw kind.missing(id);
  }
  ensureIndex(call, kind, name);
  call.unit.transaction.legacyIndexes.add(kind.entity, name, id, key, value);
  return hitAnswer(call, kind, { name, key, value, id }, 201);
}

interface UniqueEntry {
  readonly name: string;
  readonly key: string;
  readonly value: string;
  readonly uniqueness: "get_or_create" | "create_or_fail";
  readonly input: JsonMap;
}

async function addUnique(call: RestCall, kind: IndexKind, entry: UniqueEntry): Promise<RestAnswer> {
  const { name, key, value, uniqueness, input } = entry;
  const { unit } = call;
  const wanted = readWanted(call, kind, input);
  // Who comes second sees what the first has put there.
  while (!unit.transaction.lockLegacyEntry(kind.entity, name, key, value)) {
    await unit.transaction.waitForLock();
    unit.refresh();
  }
  ensureIndex(call, kind, name);
  const { legacyIndexes } = unit.transaction;
  const present = legacyIndexes.get(kind.entity, name, key, value).find((id) => kind.exists(id, call));
  if (present !== undefined) {
    // What is asked for is there already when it is the same one.
    const status = uniqueness === "get_or_create" ? 200 : wanted.id === present ? 201 : 409;
    return hitAnswer(call, kind, { name, key, value, id: present }, status);
  }
  const id = wanted.id ?? (await create(call, wanted, { key, value }));
  unit.refresh();
  legacyIndexes.add(kind.entity, name, id, key, value);
  return hitAnswer(call, kind, { name, key, value, id }, 201);
}

/** What is to be indexed: something that is there, or what it is made from. */
interface Wanted {
  readonly id?: number;
  readonly relationship?: { readonly start: number; readonly end: number; readonly type: string };
  /** Undefined: the key and the value. */
  readonly properties?: ReadonlyMap<string, PropertyValue> | undefined;
}

function readWanted(call: RestCall, kind: IndexKind, input: JsonMap): Wanted {
  for (const name of ["uri", "start", "end", "type"]) {
    const value = input.get(name) ?? "";
    if (typeof value !== "string") {
      throw invalidArguments(`"${name}" should be a string`);
    }
  }
  const uri = input.get("uri");
  const given = input.get("properties");
  if (given !== undefined && given !== null && !isMap(given)) {
    throw invalidArguments('"properties" should be a map');
  }
  const properties = isMap(given) ? propertiesFrom(given, call.body) : undefined;
  if (kind.entity === "relationship") {
    return readWantedRelationship(call, kind, input, properties);
  }
  if (uri === undefined || uri === null) {
    return { properties };
  }
  if (properties !== undefined) {
    throw invalidArguments("Cannot specify properties for a new node, when a node to index is specified.");
  }
  return { id: existing(call, kind, uri) };
}

function readWantedRelationship(
  call: RestCall,
  kind: IndexKind,
  input: JsonMap,
  properties: ReadonlyMap<string, PropertyValue> | undefined,
): Wanted {
  const [uri, start, end, type] = ["uri", "start", "end", "type"].map((name) => input.get(name) ?? undefined);
  const isWhole = start !== undefined && end !== undefined && type !== undefined;
  const isNothing = start === undefined && end === undefined && type === undefined && properties === undefined;
  if (uri === undefined ? !isWhole : !isNothing) {
    throw invalidArguments("Either specify a relationship to index uniquely, or the means for creating it.");
  }
  return uri === undefined
    ? {
        properties,
        relationship: {
          start: idFrom(start ?? null),
          end: idFrom(end ?? null),
          type: typeof type === "string" ? type : "",
        },
      }
    : { id: existing(call, kind, uri) };
}

function existing(call: RestCall, kind: IndexKind, uri: JsonValue): number {
  const id = idFrom(uri);
  if (!kind.exists(id, call)) {
    throw kind.missingForUnique(id);
  }
  return id;
}

async function create(
  call: RestCall,
  { relationship, properties }: Wanted,
  entry: { readonly key: string; readonly value: string },
): Promise<number> {
  const { transaction } = call.unit;
  const data = properties ?? new Map<string, PropertyValue>([[entry.key, entry.value]]);
  if (relationship === undefined) {
    const node = transaction.createNode([]);
    data.forEach((value, name) => transaction.setNodeProperty(node, transaction.propertyKeyId(name), value));
    return node;
  }
  const { start, end, type } = relationship;
  for (const node of [start, end].toSorted((left, right) => left - right)) {
    await lockEnd(call, node);
  }
  const id = transaction.createRelationship(start, transaction.relationshipTypeId(type), end);
  data.forEach((value, name) => transaction.setRelationshipProperty(id, transaction.propertyKeyId(name), value));
  return id;
}

async function lockEnd({ unit }: RestCall, node: number): Promise<void> {
  const exists = (): boolean => node >= 0 && node < unit.view.nodeIdLimit && unit.view.nodeExists(node);
  if (exists()) {
    await unit.lockNode(node);
  }
  if (!exists()) {
    throw new RestError(500, nodeNotFoundChain(node));
  }
}

function getEntry(call: RestCall, kind: IndexKind): RestAnswer {
  const { name = "", key = "", value = "" } = call.parameters;
  const id = idOf(call.parameters["id"]);
  const { legacyIndexes } = call.unit.transaction;
  if (!kind.exists(id, call)) {
    throw kind.entity === "node"
      ? nodeMissing(404, id)
      : new RestError(404, [{ exception: "NotFoundException", message: `Relationship ${id} not found` }]);
  }
  if (!legacyIndexes.list(kind.entity).has(name) || !legacyIndexes.get(kind.entity, name, key, value).includes(id)) {
    throw notFound(null);
  }
  return hitAnswer(call, kind, { name, key, value, id }, 200);
}

function removeEntry(
  call: RestCall,
  kind: IndexKind,
  idText: string | undefined,
  key: string | undefined,
  value: string | undefined,
): RestAnswer {
  const { name = "" } = call.parameters;
  const id = idOf(idText);
  refuseReadOnly(kind, name);
  if (!kind.exists(id, call)) {
    const what = kind.entity === "node" ? "Node" : "Relationship";
    throw new RestError(404, [{ exception: "NotFoundException", message: `${what} ${id} not found` }]);
  }
  const { legacyIndexes } = call.unit.transaction;
  if (legacyIndexes.list(kind.entity).has(name)) {
    legacyIndexes.remove(kind.entity, name, id, key, value);
  }
  return NO_CONTENT;
}

function hitAnswer(
  call: RestCall,
  kind: IndexKind,
  {
    name,
    key,
    value,
    id,
  }: { readonly name: string; readonly key: string; readonly value: string; readonly id: number },
  status: number,
): RestAnswer {
  const url = hitUrl(call, kind, name, key, value, id);
  const representation = new Map([...kind.represent(id, call), ["indexed", url] as const]);
  return {
    status,
    // A conflict shows what is there without leading to it; so does a relationship that is not new.
    location:
      status === 409 || (status === 200 && kind.entity === "relationship") || call.parameters["id"] !== undefined
        ? undefined
        : url,
    representation: { type: kind.entity, shape: "entity", value: representation },
  };
}

/** `?uniqueness=…` in any case of letters; `?unique` is the old spelling. Unknown words ask for nothing. */
function uniquenessOf(query: URLSearchParams): Uniqueness {
  const word = query.get("uniqueness")?.toLowerCase();
  if (word === "get_or_create" || word === "create_or_fail") {
    return word;
  }
  const old = query.get("unique");
  return word === undefined && (old === "" || old?.toLowerCase() === "true") ? "get_or_create" : undefined;
}

/** What follows the last slash of an entity's address, or a bare id. @throws RestError 400 when it is no number */
function idFrom(uri: JsonValue): number {
  const text = javaText(uri);
  const id = text.slice(text.lastIndexOf("/") + 1);
  if (!/^-?\d{1,19}$/.test(id)) {
    throw badInput({ exception: "NumberFormatException", message: `For input string: "${id}"` });
  }
  return Number(id);
}

/** A value must fit into the `Location` of the answer. */
const MAXIMUM_HEADER_BYTES = 20_480;
const MAXIMUM_VALUE_BYTES = MAXIMUM_HEADER_BYTES - 512;
const TOO_LARGE = `The property value provided was too large. The maximum size is currently set to ${MAXIMUM_HEADER_BYTES} bytes. You can configure this by setting the 'org.neo4j.server.webserver.max.response.header' property.`;
