import { type PropertyValue, type TokenTable, WholeFloat } from "@trefoil/graph-store";
import { labelNames } from "../formats/entities.ts";
import { propertyJson } from "../formats/property-json.ts";
import { nodeRepresentation } from "../formats/representation.ts";
import { JsonError } from "../json/json-error.ts";
import { JsonReader, type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { cooperatively } from "../protocol/cooperatively.ts";
import { nodeOf } from "./entity-id.ts";
import { propertyFrom } from "./property-input.ts";
import { listAnswer } from "./list-answer.ts";
import {
  NO_CONTENT,
  representationContext,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  wantsOnlyUsed,
} from "./rest-call.ts";
import { failureOf } from "../errors.ts";
import { type ExceptionLink, invalidArguments, PlainError, propertyValueError, RestError } from "./rest-error.ts";
import { isBlank, isList, isMap, javaText, readInput, unsupportedFormat, unsupportedValueType } from "./rest-input.ts";

/** Labels and the names in use (graph-http §7). */
export const LABEL_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: "/db/data/node/:id/labels", handle: getLabels },
  { method: "POST", path: "/db/data/node/:id/labels", handle: addLabels },
  { method: "PUT", path: "/db/data/node/:id/labels", handle: replaceLabels },
  { method: "DELETE", path: "/db/data/node/:id/labels/:label", handle: removeLabel },
  { method: "GET", path: "/db/data/label/:label/nodes", handle: nodesWithLabel },
  { method: "GET", path: "/db/data/labels", handle: listLabels },
  {
    method: "GET",
    path: "/db/data/propertykeys",
    handle: (call) => namesAnswer(namesOf(call.unit.tokens.propertyKeys)),
  },
];

function getLabels(call: RestCall): RestAnswer {
  return namesAnswer(labelNames(nodeOf(call), call.unit.graph));
}

async function addLabels(call: RestCall): Promise<RestAnswer> {
  const input = readLabelInput(call);
  if (!isList(input) && typeof input !== "string") {
    throw notALabel(input);
  }
  setLabels(call, await lockedNode(call), isList(input) ? input : [input]);
  return NO_CONTENT;
}

async function replaceLabels(call: RestCall): Promise<RestAnswer> {
  const input = readLabelInput(call);
  if (!isList(input)) {
    throw invalidArguments(`Input must be an array of Strings. Got: '${javaText(input)}'`);
  }
  const node = await lockedNode(call);
  for (const label of call.unit.view.labelsOf(node)) {
    call.unit.transaction.removeLabel(node, label);
  }
  setLabels(call, node, input);
  return NO_CONTENT;
}

function notALabel(value: JsonValue): RestError {
  return invalidArguments(`Label name must be a string. Got: '${javaText(value)}'`);
}

/** An empty body stands for an empty object, which no label can be; the messages show it. */
function readLabelInput(call: RestCall): JsonValue {
  if (isBlank(call)) {
    return new Map();
  }
  const input = readInput(call, null);
  if (input === null) {
    throw propertyValueError("null value not supported");
  }
  if (isMap(input)) {
    throw unsupportedValueType(input);
  }
  return input;
}

function setLabels(call: RestCall, node: number, labels: readonly JsonValue[]): void {
  const { transaction } = call.unit;
  for (const label of labels) {
    if (label === "" || label === null) {
      throw badLabel(
        { exception: "ConstraintViolationException", message: "Unable to add label, see nested exception." },
        {
          exception: "IllegalTokenNameException",
          message: `'${label}' is not a valid token name. Only non-null, non-empty strings are allowed.`,
        },
      );
    }
    if (typeof label !== "string") {
      throw notALabel(label);
    }
    try {
      transaction.addLabel(node, transaction.labelId(label));
    } catch (error) {
      throw labelRefused(error);
    }
  }
}

/** A value that is unique elsewhere is told as the cause. */
function labelRefused(error: unknown): unknown {
  const { code, message } = failureOf(error);
  return code === "ClientError.Schema.ConstraintViolation"
    ? badLabel({ exception: "ConstraintViolationException", message })
    : error;
}

function badLabel(...causes: readonly ExceptionLink[]): RestError {
  return new RestError(400, [
    { exception: "BadInputException", message: "Unable to add label, see nested exception." },
    ...causes,
  ]);
}

async function removeLabel(call: RestCall): Promise<RestAnswer> {
  const node = await lockedNode(call);
  const label = call.unit.tokens.labels.find(call.parameters["label"] ?? "");
  if (label !== -1 && call.unit.view.hasLabel(node, label)) {
    call.unit.transaction.removeLabel(node, label);
  }
  return NO_CONTENT;
}

async function lockedNode(call: RestCall): Promise<number> {
  await call.unit.lockNode(nodeOf(call));
  return nodeOf(call);
}

/** Nodes with a label, or those of them whose one property has the value given as JSON: `?name="x"`, percent-encoded. */
function nodesWithLabel(call: RestCall): Promise<RestAnswer> {
  const { unit } = call;
  const filters = [...call.query].filter(([name]) => name !== "");
  if (new Set(filters.map(([name]) => name)).size > 1) {
    throw new PlainError(400, "Only one property can be given.", "text/plain; charset=UTF-8");
  }
  const [filter] = filters;
  const wanted = filter === undefined ? undefined : readFilterValue(call, filter[1]);
  const key = filter === undefined ? -1 : unit.tokens.propertyKeys.find(filter[0]);
  const name = call.parameters["label"] ?? "";
  if (name === "") {
    throw new PlainError(404, "");
  }
  const label = unit.tokens.labels.find(name);
  const nodes =
    label !== -1 && (filter === undefined || (key !== -1 && wanted !== undefined))
      ? matchingNodes(call, label, key, wanted)
      : [];
  return listAnswer(call, { type: "nodes", shape: "entities" }, nodes);
}

/** @param wanted  undefined: whatever the value */
async function* matchingNodes(
  call: RestCall,
  label: number,
  key: number,
  wanted: JsonValue | undefined,
): AsyncGenerator<JsonValue, void, undefined> {
  const { view } = call.unit;
  const context = representationContext(call);
  for await (const node of cooperatively(cursorNodes(view.nodesWithLabel(label)), call.signal)) {
    if (wanted === undefined || isSameValue(view.nodeProperty(node, key), wanted)) {
      yield nodeRepresentation(node, context);
    }
  }
}

function* cursorNodes(cursor: { next(): number }): Generator<number, void, undefined> {
  for (let node = cursor.next(); node !== -1; node = cursor.next()) {
    yield node;
  }
}

/** An empty value finds nothing; one that is not JSON, or null, is refused (graph-measured). */
function readFilterValue(call: RestCall, text: string): JsonValue | undefined {
  if (text === "") {
    return undefined;
  }
  try {
    // Of a text that goes on after a value nothing more is read (graph-measured).
    const value = new JsonReader(text).readValue();
    if (isList(value) && value.some((element) => !isList(element) && !isMap(element))) {
      // What no property can be cannot be looked for.
      propertyFrom("", value, Buffer.from(text), () => true);
    }
    if (value !== null && !isMap(value)) {
      return value;
    }
  } catch (error) {
    if (!(error instanceof JsonError)) {
      throw error;
    }
  }
  throw unsupportedFormat({ headers: { accept: call.headers.accept } });
}

/** By value: 1 and 1.0 are the same, as they are for a statement. */
function isSameValue(stored: PropertyValue | undefined, wanted: JsonValue): boolean {
  return stored !== undefined && comparable(propertyJson(stored)) === comparable(wanted);
}

function comparable(value: JsonValue): string {
  const numbers = (isList(value) ? value : [value]).map((each) => (each instanceof WholeFloat ? each.value : each));
  return writeJson(isList(value) ? numbers : (numbers[0] ?? null), "compact");
}

function listLabels(call: RestCall): RestAnswer {
  const { tokens, view } = call.unit;
  const names = namesOf(tokens.labels);
  return namesAnswer(wantsOnlyUsed(call) ? names.filter((_, label) => view.nodeCount(label) > 0) : names);
}

function namesOf(table: TokenTable): string[] {
  return Array.from({ length: table.size }, (_, id) => table.nameOf(id));
}

function namesAnswer(value: readonly string[]): RestAnswer {
  return { status: 200, representation: { type: "strings", shape: "list", value } };
}
