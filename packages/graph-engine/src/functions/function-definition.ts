import { type Mode } from "@trefoil/cypher";
import { type Value } from "../values/value.ts";
import { type Accumulator } from "./aggregates/accumulator.ts";
import { type FunctionContext } from "./function-context.ts";

/** A type in a signature; `number` is INTEGER or FLOAT, `list` a list of anything. */
export type SignatureType =
  | "any"
  | "boolean"
  | "integer"
  | "float"
  | "number"
  | "string"
  | "list"
  | "map"
  | "node"
  | "relationship"
  | "path"
  | "point"
  | "date"
  | "time"
  | "local time"
  | "datetime"
  | "local datetime"
  | "duration";

/** What a function gives, as far as its arguments' types tell. */
export type ResultType =
  | SignatureType
  | { readonly listOf: SignatureType }
  /** The type of the argument at this position. */
  | { readonly sameAs: number }
  /** The type of the elements of the list at this position. */
  | { readonly elementOf: number }
  /** A list of what the argument at this position is. */
  | { readonly listOfArgument: number }
  /** What all arguments have in common. */
  | "common"
  /** The type of the first argument, a list even when nothing is known of it. */
  | "tailOf";

export interface Parameter {
  readonly name: string;
  /** A value must be of one of these; `any` takes all. null always passes. */
  readonly types: readonly SignatureType[];
  readonly optional: boolean;
}

interface Definition {
  /** As documented and as messages spell it; lookup ignores case. */
  readonly name: string;
  readonly synonyms: readonly string[];
  readonly modes: readonly Mode[];
  readonly parameters: readonly Parameter[];
  /** Whether the last parameter takes any number of arguments. */
  readonly variadic: boolean;
  readonly returns: ResultType;
  /** Whether the types of arguments are judged by the function alone, when rows are made (TCK List11 [5]). */
  readonly checkedAtRuntime: boolean;
  /** Whether its failures in 2.3 quote the argument (functions/argument-text.ts). */
  readonly namesArgument: boolean;
  readonly description: string;
}

/** A function of one row. */
export interface FunctionDefinition extends Definition {
  readonly aggregate: false;
  /** null as soon as an argument is: `call` sees to it itself. */
  readonly nullInNullOut: boolean;
  /** Whether equal arguments always give equal results, so that constants can be folded. */
  readonly deterministic: boolean;
  readonly call: FunctionBody;
}

/** A function of a group of rows. */
export interface AggregateDefinition extends Definition {
  readonly aggregate: true;
  readonly create: (mode: Mode) => Accumulator;
}

/** Optional arguments that weren't written are `undefined`, or left out. */
export type FunctionBody = (context: FunctionContext, ...args: readonly Value[]) => Value;

/** How many arguments a function takes. */
export function arityOf(definition: Definition): { readonly minimum: number; readonly maximum: number } {
  const required = definition.parameters.filter((parameter) => !parameter.optional).length;
  return { minimum: required, maximum: definition.variadic ? Number.POSITIVE_INFINITY : definition.parameters.length };
}
