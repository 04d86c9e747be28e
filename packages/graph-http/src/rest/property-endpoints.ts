import { type PropertyValue } from "@trefoil/graph-store";
import { nodeProperties, relationshipProperties } from "../formats/entities.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { nodeOf, relationshipOf } from "./entity-id.ts";
import { propertiesFrom, propertyFrom } from "./property-input.ts";
import { NO_CONTENT, type RestAnswer, type RestCall, type RestRoute } from "./rest-call.ts";
import { propertyValueError, RestError } from "./rest-error.ts";
import {
  isDeclaredJson,
  isList,
  isMap,
  readInput,
  readMap,
  requireJson,
  unsupportedFormat,
  unsupportedValueType,
} from "./rest-input.ts";
import { scalarType } from "./scalar-type.ts";

/** What differs between the properties of nodes and those of relationships. */
interface Owner {
  readonly path: string;
  /** In messages: `Node[1] does not have a property "x"`. */
  readonly word: string;
  /** Refuses a body of a type that the owner's properties are not read from. */
  checkType(call: RestCall): void;
  find(call: RestCall): number;
  lock(call: RestCall, id: number): Promise<void>;
  all(call: RestCall, id: number): ReadonlyMap<string, JsonValue>;
  set(call: RestCall, id: number, name: string, value: PropertyValue | undefined): void;
}

const OWNERS: readonly Owner[] = [
  {
    path: "/db/data/node/:id/properties",
    word: "Node",
    checkType: () => undefined,
    find: (call) => nodeOf(call),
    lock: (call, id) => call.unit.lockNode(id),
    all: (call, id) => nodeProperties(id, call.unit.graph),
    set: ({ unit: { transaction } }, id, name, value) => {
      transaction.setNodeProperty(id, transaction.propertyKeyId(name), value);
    },
  },
  {
    path: "/db/data/relationship/:id/properties",
    word: "Relationship",
    checkType: requireJson,
    find: relationshipOf,
    lock: (call, id) => call.unit.lockRelationship(id),
    all: (call, id) => relationshipProperties(id, call.unit.graph),
    set: ({ unit: { transaction } }, id, name, value) => {
      transaction.setRelationshipProperty(id, transaction.propertyKeyId(name), value);
    },
  },
];

/** Properties of nodes and relationships, all at once and one by one (graph-http §7). */
export const PROPERTY_ROUTES: readonly RestRoute[] = OWNERS.flatMap((owner): RestRoute[] => [
  { method: "GET", path: owner.path, handle: (call) => getAll(call, owner) },
  { method: "PUT", path: owner.path, handle: (call) => replaceAll(call, owner) },
  { method: "DELETE", path: owner.path, handle: (call) => removeAll(call, owner) },
  { method: "GET", path: `${owner.path}/:key`, handle: (call) => getOne(call, owner) },
  { method: "PUT", path: `${owner.path}/:key`, handle: (call) => putOne(call, owner) },
  { method: "DELETE", path: `${owner.path}/:key`, handle: (call) => removeOne(call, owner) },
]);

function getAll(call: RestCall, owner: Owner): RestAnswer {
  const value = owner.all(call, owner.find(call));
  return { status: 200, representation: { type: "properties", shape: "map", value } };
}

async function replaceAll(call: RestCall, owner: Owner): Promise<RestAnswer> {
  owner.checkType(call);
  const input = readMap(call);
  const id = await lockOwner(call, owner);
  const present = owner.all(call, id);
  const properties = propertiesFrom(input, call.body, present);
  for (const name of present.keys()) {
    if (!properties.has(name)) {
      owner.set(call, id, name, undefined);
    }
  }
  for (const [name, value] of properties) {
    owner.set(call, id, name, value);
  }
  return NO_CONTENT;
}

async function removeAll(call: RestCall, owner: Owner): Promise<RestAnswer> {
  const id = await lockOwner(call, owner);
  for (const name of owner.all(call, id).keys()) {
    owner.set(call, id, name, undefined);
  }
  return NO_CONTENT;
}

function getOne(call: RestCall, owner: Owner): RestAnswer {
  const id = owner.find(call);
  const value = existing(call, owner, id);
  return { status: 200, representation: { type: scalarType(value), shape: "scalar", value } };
}

async function putOne(call: RestCall, owner: Owner): Promise<RestAnswer> {
  owner.checkType(call);
  const value = readInput(call, NO_VALUE);
  if (value === null) {
    throw propertyValueError("null value not supported");
  }
  if (isMap(value) && value !== NO_VALUE) {
    throw isDeclaredJson(call) ? unsupportedValueType(value) : unsupportedFormat(call);
  }
  const id = await lockOwner(call, owner);
  const name = keyOf(call);
  const property = propertyFrom(name, value, call.body, () => isList(owner.all(call, id).get(name)));
  owner.set(call, id, name, property);
  return NO_CONTENT;
}

/** What an empty body stands for; it is refused like a map, but later and in other words (golden). */
const NO_VALUE: JsonValue = new Map<string, JsonValue>();

async function removeOne(call: RestCall, owner: Owner): Promise<RestAnswer> {
  const id = await lockOwner(call, owner);
  existing(call, owner, id);
  owner.set(call, id, keyOf(call), undefined);
  return NO_CONTENT;
}

async function lockOwner(call: RestCall, owner: Owner): Promise<number> {
  await owner.lock(call, owner.find(call));
  return owner.find(call);
}

function existing(call: RestCall, owner: Owner, id: number): JsonValue {
  const value = owner.all(call, id).get(keyOf(call));
  if (value === undefined) {
    const message = `${owner.word}[${id}] does not have a property "${keyOf(call)}"`;
    throw new RestError(404, [{ exception: "NoSuchPropertyException", message }]);
  }
  return value;
}

function keyOf(call: RestCall): string {
  return call.parameters["key"] ?? "";
}
