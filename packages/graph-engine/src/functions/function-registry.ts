import { type Mode } from "@trefoil/cypher";
import { type GraphAccess } from "../values/graph-access.ts";
import { type Value } from "../values/value.ts";
import { type FunctionDefinition, type Parameter, type SignatureType } from "./function-definition.ts";
import { type AnyFunction, findFunction, functionNames } from "./registry.ts";

/** Finds functions by name; the binder's view of the registry. */
export interface FunctionCatalog {
  find(name: string, mode: Mode): AnyFunction | undefined;
  names(mode: Mode): readonly string[];
}

/** A function of one row that is added to the language while the engine runs. */
export interface UserFunction {
  /** With its namespace, in any case of letters: `text.reverse`. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly returns: SignatureType;
  /** Whether equal arguments always give equal results; true when not said. */
  readonly deterministic?: boolean | undefined;
  /** Gets null like any other argument; entities among them are read through `graph`. */
  readonly call: (args: readonly Value[], graph: GraphAccess) => Value;
}

/** The functions of an engine: the built-in ones and those that come and go while it runs. */
export class FunctionRegistry implements FunctionCatalog {
  readonly #defined = new Map<string, FunctionDefinition>();
  readonly #changed: () => void;

  /** @param changed  called after every definition and removal */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  find(name: string, mode: Mode): AnyFunction | undefined {
    return findFunction(name, mode) ?? this.#defined.get(name.toLowerCase());
  }

  names(mode: Mode): readonly string[] {
    return [...functionNames(mode), ...this.defined().map((each) => each.name)];
  }

  /** Those that are not built in. */
  defined(): readonly FunctionDefinition[] {
    return [...this.#defined.values()];
  }

  /** Replaces one of the same name; the built-in ones stay what they are. */
  define(definition: UserFunction): void {
    this.#defined.set(definition.name.toLowerCase(), asFunction(definition));
    this.#changed();
  }

  /** @returns  whether there was one */
  remove(name: string): boolean {
    const removed = this.#defined.delete(name.toLowerCase());
    this.#changed();
    return removed;
  }
}

function asFunction({ name, description, parameters, returns, deterministic, call }: UserFunction): FunctionDefinition {
  return {
    name,
    description: description ?? "",
    synonyms: [],
    modes: ["modern", "2.3"],
    parameters,
    variadic: false,
    returns,
    checkedAtRuntime: false,
    namesArgument: false,
    aggregate: false,
    nullInNullOut: false,
    deterministic: deterministic ?? true,
    call: (context, ...args) => call(args, context),
  };
}
