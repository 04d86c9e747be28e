import { PathValue } from "@trefoil/graph-engine";
import { floatOf, isIntegerNumber, type PropertyValue, WholeFloat } from "@trefoil/graph-store";
import { pathRepresentation } from "../formats/representation.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { idOf } from "../rest/entity-id.ts";
import { endNodeId } from "../rest/end-node.ts";
import { representationContext, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { badInput, nodeMissing, RestError } from "../rest/rest-error.ts";
import { castError, type JsonMap, readMap } from "../rest/rest-input.ts";
import { pathOf } from "./branch.ts";
import { cooperatively } from "../protocol/cooperatively.ts";
import { readExpander } from "./expander.ts";
import { allPaths, cheapestPaths, type Found, type PathSearch, shortestPaths } from "./path-algorithms.ts";
import { readDepth } from "./traversal-description.ts";
import { traversalStart } from "./traversal-start.ts";

/** Ways from one node to another (graph-http §7). */
export const PATH_ROUTES: readonly RestRoute[] = [
  { method: "POST", path: "/db/data/node/:id/path", handle: findPath },
  { method: "POST", path: "/db/data/node/:id/paths", handle: findPaths },
];

async function findPath(call: RestCall): Promise<RestAnswer> {
  for await (const found of cooperatively(search(call), call.signal)) {
    if (found !== undefined) {
      return { status: 200, representation: { type: "path", shape: "map", value: representFound(found, call) } };
    }
  }
  throw new RestError(404, [{ exception: "UnknownNotFoundException", message: null }]);
}

async function findPaths(call: RestCall): Promise<RestAnswer> {
  const value: JsonValue[] = [];
  for await (const found of cooperatively(search(call), call.signal)) {
    if (found !== undefined) {
      value.push(representFound(found, call));
    }
  }
  return { status: 200, representation: { type: "list", shape: "list", value } };
}

function representFound({ branch, weight }: NonNullable<Found>, call: RestCall): JsonValue {
  const { nodes, relationships } = pathOf(branch);
  const path = new Map(pathRepresentation(new PathValue(nodes, relationships), representationContext(call)));
  return weight === undefined ? path : path.set("weight", floatOf(weight));
}

function search(call: RestCall): Iterable<Found> {
  const description = readMap(call);
  idOf(call.parameters["id"]);
  const to = description.get("to") ?? "";
  if (typeof to !== "string") {
    throw castError(to, "java.lang.String");
  }
  const end = endNodeId(description);
  const { view } = call.unit;
  if (!view.nodeExists(end)) {
    throw nodeMissing(404, end);
  }
  const algorithm = description.get("algorithm") ?? "shortestPath";
  if (typeof algorithm !== "string") {
    throw castError(algorithm, "java.lang.String");
  }
  const run = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  if (run === undefined) {
    const message = `The algorithm is one of ${Object.keys(ALGORITHMS).join(", ")}.`;
    throw badInput({ exception: "IllegalArgumentException", message });
  }
  const expand = readExpander(description, call.unit.graph);
  const maximumDepth = readDepth(description.get("max_depth"), 1);
  return run({ start: traversalStart(call), end, maximumDepth, expand }, description, call);
}

const ALGORITHMS: Readonly<
  Record<string, (search: PathSearch, description: JsonMap, call: RestCall) => Iterable<Found>>
> = {
  shortestPath: shortestPaths,
  allSimplePaths: (search) => allPaths(search, true),
  allPaths: (search) => allPaths(search, false),
  dijkstra: (search, description, call) => cheapestPaths(search, readCost(description, call)),
};

/** What a relationship costs: its `cost_property`, or `default_cost` where it has none. */
function readCost(description: JsonMap, { unit }: RestCall): (relationship: number) => number {
  const name = description.get("cost_property");
  if (name === undefined || name === null) {
    // Told where a cost is wanted: a search that comes to no relationship does without (measured on a 2.3 server).
    return () => {
      throw badInput({ exception: "IllegalArgumentException", message: "Dijkstra needs a cost_property." });
    };
  }
  if (typeof name !== "string") {
    throw castError(name, "java.lang.String");
  }
  const given = description.get("default_cost") ?? undefined;
  const otherwise = numberOf(given);
  if (given !== undefined && otherwise === undefined) {
    throw castError(given, "java.lang.Number");
  }
  const key = unit.tokens.propertyKeys.find(name);
  return (relationship) => {
    const stored = key === -1 ? undefined : numberOf(unit.view.relationshipProperty(relationship, key));
    const cost = stored ?? otherwise;
    if (cost === undefined) {
      const message = `RELATIONSHIP[${relationship}] has no property with propertyKey="${name}".`;
      throw new RestError(404, [
        { exception: "NotFoundException", message, code: "ClientError.Statement.NoSuchProperty" },
      ]);
    }
    return cost;
  };
}

function numberOf(value: JsonValue | PropertyValue | undefined): number | undefined {
  if (typeof value === "number") {
    return isIntegerNumber(value) || Number.isFinite(value) ? value : undefined;
  }
  return value instanceof WholeFloat ? value.value : typeof value === "bigint" ? Number(value) : undefined;
}
