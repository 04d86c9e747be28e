import { type ConstraintDefinition, type IndexDefinition, isValueIndex, StoreError } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { NO_CONTENT, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { PlainError, RestError } from "../rest/rest-error.ts";
import { isList } from "../rest/rest-input.ts";
import { readMapWith } from "../rest/required-keys.ts";
import { type ExceptionName } from "../rest/exceptions.ts";

const INDEX = "/db/data/schema/index";
const CONSTRAINT = "/db/data/schema/constraint";
const RELATIONSHIP_EXISTENCE = "/db/data/schema/relationship/constraint/:type/existence";

/** Indexes and uniqueness constraints of labels (graph-http §7, graph-measured). */
export const SCHEMA_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: INDEX, handle: listIndexes },
  { method: "GET", path: `${INDEX}/:label`, handle: listIndexes },
  { method: "POST", path: `${INDEX}/:label`, handle: createIndex },
  { method: "DELETE", path: `${INDEX}/:label/:property`, handle: dropIndex },
  { method: "GET", path: RELATIONSHIP_EXISTENCE, handle: listRelationshipConstraints },
  { method: "GET", path: `${RELATIONSHIP_EXISTENCE}/:property`, handle: getRelationshipConstraint },
  { method: "DELETE", path: `${RELATIONSHIP_EXISTENCE}/:property`, handle: dropRelationshipConstraint },
  { method: "GET", path: CONSTRAINT, handle: listConstraints },
  { method: "GET", path: `${CONSTRAINT}/:label`, handle: listConstraints },
  ...(["uniqueness", "existence"] as const).flatMap((kind): RestRoute[] => {
    const isOfKind = (constraint: ConstraintDefinition): boolean =>
      (kind === "uniqueness") === (constraint.kind !== "exists");
    const list = (call: RestCall): RestAnswer => listConstraints(call, isOfKind);
    const path = `${CONSTRAINT}/:label/${kind}`;
    return [
      { method: "GET", path, handle: list },
      ...(kind === "uniqueness" ? [{ method: "POST", path, handle: createConstraint } as const] : []),
      { method: "GET", path: `${path}/:property`, handle: (call) => getConstraint(call, isOfKind) },
      { method: "DELETE", path: `${path}/:property`, handle: (call) => dropConstraint(call, isOfKind) },
    ];
  }),
];

function listIndexes(call: RestCall): RestAnswer {
  const { label } = call.parameters;
  const indexes = nodeIndexes(call).filter(({ tokens: [token] }) => label === undefined || token === label);
  return listAnswer("index", indexes.map(indexRepresentation));
}

async function createIndex(call: RestCall): Promise<RestAnswer> {
  const label = labelOf(call);
  const keys = propertyKeysOf(call);
  if (keys.length === 0) {
    throw violation("An index needs at least one property key to index");
  }
  if (keys.length > 1) {
    throw unsupported("Compound indexes are not yet supported, only one property per index is allowed.");
  }
  const index = await translated(() =>
    call.unit.transaction.createIndex({ kind: "range", entity: "node", tokens: [label], properties: keys }),
  );
  return mapAnswer("index", indexRepresentation(index));
}

async function dropIndex(call: RestCall): Promise<RestAnswer> {
  const { label, property } = call.parameters;
  const index = nodeIndexes(call).find(
    ({ tokens, properties }) => tokens[0] === label && properties.length === 1 && properties[0] === property,
  );
  if (index === undefined) {
    throw new PlainError(404, "");
  }
  await translated(() => call.unit.transaction.dropIndex(index.name));
  return NO_CONTENT;
}

function listConstraints(
  call: RestCall,
  isWanted: (constraint: ConstraintDefinition) => boolean = () => true,
): RestAnswer {
  const { label } = call.parameters;
  const constraints = nodeConstraints(call).filter(
    (constraint) => (label === undefined || constraint.token === label) && isWanted(constraint),
  );
  return listAnswer("constraint", constraints.map(constraintRepresentation));
}

function getConstraint(call: RestCall, isWanted: (constraint: ConstraintDefinition) => boolean): RestAnswer {
  const constraint = findConstraint(call, isWanted);
  if (constraint === undefined) {
    throw noConstraint(`label ${call.parameters["label"]}`, call);
  }
  return listAnswer("constraint", [constraintRepresentation(constraint)]);
}

function listRelationshipConstraints(call: RestCall): RestAnswer {
  return listAnswer("constraint", relationshipConstraints(call).map(constraintRepresentation));
}

function getRelationshipConstraint(call: RestCall): RestAnswer {
  const { type, property } = call.parameters;
  const found = relationshipConstraints(call).filter(({ properties }) => properties[0] === property);
  if (found.length === 0) {
    throw noConstraint(`relationship type ${type}`, call);
  }
  return listAnswer("constraint", found.map(constraintRepresentation));
}

async function dropRelationshipConstraint(call: RestCall): Promise<RestAnswer> {
  const { property } = call.parameters;
  return await drop(
    call,
    relationshipConstraints(call).find(({ properties }) => properties[0] === property),
  );
}

function noConstraint(of: string, { parameters }: RestCall): RestError {
  const message = `Constraint with ${of} for properties [${parameters["property"]}] does not exist`;
  return new RestError(404, [{ exception: "IllegalArgumentException", message }]);
}

async function createConstraint(call: RestCall): Promise<RestAnswer> {
  const label = labelOf(call);
  const keys = propertyKeysOf(call);
  if (keys.length !== 1) {
    throw unsupported("You can only create one unique constraint at a time.");
  }
  const constraint = await translated(() =>
    call.unit.transaction.createConstraint({ kind: "unique", entity: "node", token: label, properties: keys }),
  );
  return mapAnswer("constraint", constraintRepresentation(constraint));
}

async function dropConstraint(
  call: RestCall,
  isWanted: (constraint: ConstraintDefinition) => boolean,
): Promise<RestAnswer> {
  return await drop(call, findConstraint(call, isWanted));
}

async function drop(call: RestCall, constraint: ConstraintDefinition | undefined): Promise<RestAnswer> {
  if (constraint === undefined) {
    throw new PlainError(404, "");
  }
  await translated(() => call.unit.transaction.dropConstraint(constraint.name));
  return NO_CONTENT;
}

function findConstraint(
  call: RestCall,
  isWanted: (constraint: ConstraintDefinition) => boolean,
): ConstraintDefinition | undefined {
  const { label, property } = call.parameters;
  return nodeConstraints(call).find(
    (constraint) =>
      constraint.token === label &&
      constraint.properties.length === 1 &&
      constraint.properties[0] === property &&
      isWanted(constraint),
  );
}

/** Indexes that serve a constraint are listed too, as they always were. */
function nodeIndexes({ unit }: RestCall): readonly IndexDefinition[] {
  return unit.transaction.schema.indexes.filter((index) => index.entity === "node" && isValueIndex(index));
}

function nodeConstraints({ unit }: RestCall): readonly ConstraintDefinition[] {
  return unit.transaction.schema.constraints.filter(({ entity }) => entity === "node");
}

/** What relationships of a type must have. */
function relationshipConstraints({ unit, parameters }: RestCall): readonly ConstraintDefinition[] {
  return unit.transaction.schema.constraints.filter(
    ({ entity, kind, token }) => entity === "relationship" && kind === "exists" && token === parameters["type"],
  );
}

function indexRepresentation({ tokens, properties }: IndexDefinition): ReadonlyMap<string, JsonValue> {
  return new Map<string, JsonValue>([
    ["property_keys", properties],
    ["label", tokens[0] ?? ""],
  ]);
}

function constraintRepresentation(constraint: ConstraintDefinition): ReadonlyMap<string, JsonValue> {
  const { entity, token, properties, kind } = constraint;
  return new Map<string, JsonValue>([
    ["property_keys", properties],
    [entity === "node" ? "label" : "relationshipType", token],
    ["type", kind === "exists" ? `${entity.toUpperCase()}_PROPERTY_EXISTENCE` : "UNIQUENESS"],
  ]);
}

function labelOf({ parameters }: RestCall): string {
  const { label = "" } = parameters;
  if (label === "") {
    throw new PlainError(404, "");
  }
  return label;
}

/** One key, or a list of them. @throws RestError 400 */
function propertyKeysOf(call: RestCall): readonly string[] {
  const keys = readMapWith(call, ["property_keys"]).get("property_keys");
  const list = isList(keys) ? keys : [keys];
  const isReadable = list.every((key) => typeof key === "string" || key === null) && keys !== null;
  // That there are several is told before that one of them can be no name.
  if (!isReadable || (list.length === 1 && !list[0])) {
    const message = "Supply single property key or list of property keys";
    throw new RestError(400, [{ exception: "IllegalArgumentException", message }]);
  }
  return list as readonly string[];
}

/** What the store refuses, as the exceptions that wrap it here. */
async function translated<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof StoreError) || !(error.code.includes(".Schema.") || error.code === MIXED)) {
      throw error;
    }
    throw violation(error.message, CAUSES[error.code] ?? "CreateConstraintFailureException");
  }
}

/** A schema is not changed where data was, in the jobs of a batch. */
const MIXED = "ClientError.Transaction.InvalidType";

const CAUSES: Readonly<Record<string, ExceptionName>> = {
  "ClientError.Schema.IndexAlreadyExists": "AlreadyIndexedException",
  "ClientError.Schema.ConstraintAlreadyExists": "AlreadyConstrainedException",
  "ClientError.Schema.IllegalTokenName": "IllegalTokenNameException",
};

function violation(message: string, cause?: ExceptionName): RestError {
  const first = { exception: "ConstraintViolationException", message } as const;
  return new RestError(409, cause === undefined ? [first] : [first, { exception: cause, message }]);
}

function unsupported(message: string): RestError {
  return new RestError(400, [{ exception: "UnsupportedOperationException", message }]);
}

function listAnswer(kind: "index" | "constraint", value: JsonValue): RestAnswer {
  return { status: 200, representation: { type: `${kind}-definitions`, shape: "list", value } };
}

function mapAnswer(kind: "index" | "constraint", value: JsonValue): RestAnswer {
  return { status: 200, representation: { type: `${kind}-definition`, shape: "map", value } };
}
