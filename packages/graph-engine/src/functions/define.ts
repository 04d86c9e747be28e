import { type Mode } from "@trefoil/cypher";
import { type Value } from "../values/value.ts";
import {
  type AggregateDefinition,
  type FunctionBody,
  type FunctionDefinition,
  type Parameter,
  type ResultType,
  type SignatureType,
} from "./function-definition.ts";

/** A row of a function table: `name(parameter: type | type, optional?: type, rest...: type)`, then what it gives. */
interface Row {
  readonly returns: ResultType;
  readonly description: string;
  readonly synonyms?: readonly string[];
  readonly modes?: readonly Mode[];
  readonly checkedAtRuntime?: boolean;
  readonly namesArgument?: boolean;
}

export interface FunctionRow extends Row {
  /** Whether null arguments reach `call`; else the result is null without it. */
  readonly takesNull?: boolean;
  readonly deterministic?: boolean;
  readonly call: FunctionBody;
}

export interface AggregateRow extends Row {
  readonly create: AggregateDefinition["create"];
}

const BOTH: readonly Mode[] = ["modern", "2.3"];
export const MODERN: readonly Mode[] = ["modern"];
export const LEGACY: readonly Mode[] = ["2.3"];

/** Makes a definition of a signature in text form and the rest of its row. */
export function defineFunction(signature: string, row: FunctionRow): FunctionDefinition {
  const nullInNullOut = row.takesNull !== true;
  return {
    ...definition(signature, row),
    aggregate: false,
    nullInNullOut,
    deterministic: row.deterministic ?? true,
    call: nullInNullOut ? guardedAgainstNull(row.call) : row.call,
  };
}

/** As {@link defineFunction}, for aggregates. */
export function defineAggregate(signature: string, row: AggregateRow): AggregateDefinition {
  return { ...definition(signature, row), aggregate: true, create: row.create };
}

function definition(
  signature: string,
  row: Row,
): Omit<FunctionDefinition, "aggregate" | "nullInNullOut" | "deterministic" | "call"> {
  const open = signature.indexOf("(");
  const written = signature.slice(open + 1, -1);
  return {
    name: signature.slice(0, open),
    synonyms: row.synonyms ?? [],
    modes: row.modes ?? BOTH,
    parameters: written === "" ? [] : written.split(", ").map(parseParameter),
    variadic: written.includes("..."),
    returns: row.returns,
    checkedAtRuntime: row.checkedAtRuntime ?? false,
    namesArgument: row.namesArgument ?? false,
    description: row.description,
  };
}

function parseParameter(text: string): Parameter {
  const [name = "", types = ""] = text.split(": ");
  return {
    name: name.replace(/\?|\.\.\./g, ""),
    types: types.split(" | ") as SignatureType[],
    optional: name.endsWith("?"),
  };
}

/** Written out by number of arguments: this runs once per row and call. */
function guardedAgainstNull(body: FunctionBody): FunctionBody {
  switch (body.length) {
    case 0:
    case 1:
      return body;
    case 2:
      return (context, a: Value) => (a === null ? null : body(context, a));
    case 3:
      return (context, a: Value, b: Value) => (a === null || b === null ? null : body(context, a, b));
    default:
      return (context, ...args) => (args.includes(null) ? null : body(context, ...args));
  }
}
