import { type GraphAccess } from "@trefoil/graph-engine";
import { isIntegerNumber, WholeFloat } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { badInput, RestError } from "../rest/rest-error.ts";
import { castError, isMap, javaText, type JsonMap } from "../rest/rest-input.ts";
import { type Branch } from "./branch.ts";
import { readExpander } from "./expander.ts";
import { type ScriptSandbox } from "./scripts/script-sandbox.ts";
import { type Traversal } from "./traverse.ts";
import { type Uniqueness, UNIQUENESS_RULES } from "./uniqueness.ts";

/**
 * The description in the body of a traversal (graph-http §7): order, uniqueness, relationships, filter, depth.
 *
 * @param sandbox  where scripts run; without one they are refused
 * @throws RestError 400 for what none of these can be
 */
export function readTraversal(
  start: number,
  description: JsonMap,
  graph: GraphAccess,
  sandbox: ScriptSandbox | undefined,
): Traversal {
  const isPruned = (description.get("prune_evaluator") ?? null) !== null;
  return {
    start,
    order: readOrder(description.get("order")),
    uniqueness: readUniqueness(description.get("uniqueness")),
    expand: readExpander(description, graph),
    maximumDepth: readDepth(wholePart(description.get("max_depth")), isPruned ? Number.POSITIVE_INFINITY : 1),
    prunes: readEvaluator("prune", description.get("prune_evaluator"), PRUNE_EVALUATORS, sandbox) ?? never,
    includes: readEvaluator("return", description.get("return_filter"), RETURN_FILTERS, sandbox) ?? allButStart,
  };
}

/** A whole number in the description, or what holds without one. */
export function readDepth(value: JsonValue | undefined, otherwise: number): number {
  if (value === undefined || value === null) {
    return otherwise;
  }
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw castError(value, "java.lang.Integer");
  }
  return value;
}

/**
 * A traversal takes any number for its depth, and no more of it than is whole and fits in 32 bits; a path wants an
 * integer (graph-measured).
 */
function wholePart(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === "bigint" || (typeof value === "number" && isIntegerNumber(value))) {
    return Number(BigInt.asIntN(32, BigInt(value)));
  }
  const double = value instanceof WholeFloat ? value.value : value;
  return typeof double === "number" ? Math.trunc(Math.max(-(2 ** 31), Math.min(double, 2 ** 31 - 1))) : double;
}

type Predicate = (branch: Branch) => boolean;

const allButStart: Predicate = (branch) => branch.depth > 0;
const never: Predicate = () => false;

const RETURN_FILTERS: Readonly<Record<string, Predicate>> = { all: () => true, all_but_start_node: allButStart };

/** The only one there is keeps nothing from being visited. */
const PRUNE_EVALUATORS: Readonly<Record<string, Predicate>> = { none: never };

function readEvaluator(
  kind: "prune" | "return",
  value: JsonValue | undefined,
  builtins: Readonly<Record<string, Predicate>>,
  sandbox: ScriptSandbox | undefined,
): Predicate | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const description: JsonMap = isMap(value) ? value : new Map();
  const language = description.get("language");
  if (language === "javascript") {
    const body = description.get("body");
    if (sandbox === undefined) {
      throw evaluationError("Scripts in traversals are switched off on this server (graph.scripting).");
    }
    if (typeof body !== "string") {
      throw evaluationError("A script needs its text in the member body.");
    }
    return sandbox.predicate(body);
  }
  const name = description.get("name");
  const known = typeof name === "string" ? name.toLowerCase() : "";
  if (language !== "builtin") {
    throw evaluationError(`An evaluator's language is builtin or javascript, not ${javaText(language ?? null)}.`);
  }
  if (!Object.hasOwn(builtins, known)) {
    throw evaluationError(`Unrecognized ${kind} evaluator name '${javaText(name ?? null)}'`);
  }
  return builtins[known];
}

function evaluationError(message: string): RestError {
  return new RestError(400, [{ exception: "EvaluationException", message }]);
}

function readOrder(value: JsonValue | undefined): "depth_first" | "breadth_first" {
  const order = typeof value === "string" && value !== "" ? normalised(value) : value || "depth_first";
  if (order !== "depth_first" && order !== "breadth_first") {
    throw badInput({ exception: "IllegalArgumentException", message: "The order is depth_first or breadth_first." });
  }
  return order;
}

/** A name, or `{name, value}` where the rule has a number. */
function readUniqueness(value: JsonValue | undefined): Uniqueness {
  const given = isMap(value) ? value.get("name") : value || "node_global";
  const recent = isMap(value) ? value.get("value") : undefined;
  const name = typeof given === "string" ? normalised(given) : "";
  const rule = Object.hasOwn(UNIQUENESS_RULES, name) ? UNIQUENESS_RULES[name] : undefined;
  if (rule === undefined) {
    const message = `The uniqueness is one of ${Object.keys(UNIQUENESS_RULES).join(", ")}.`;
    throw badInput({ exception: "IllegalArgumentException", message });
  }
  if (recent !== undefined && recent !== null && (typeof recent !== "number" || recent <= 0)) {
    throw badInput({
      exception: "IllegalArgumentException",
      message: "The value of a uniqueness is a number above 0.",
    });
  }
  return rule(recent ?? undefined);
}

function normalised(word: string): string {
  return word.toLowerCase().replaceAll(" ", "_");
}
