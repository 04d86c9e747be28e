import { type Mode } from "@trefoil/cypher";
import { aggregateFunctions } from "./aggregates/aggregate-functions.ts";
import { conversionFunctions } from "./conversion-functions.ts";
import { type AggregateDefinition, type FunctionDefinition } from "./function-definition.ts";
import { graphFunctions } from "./graph-functions.ts";
import { listFunctions } from "./list-functions.ts";
import { mathFunctions } from "./math-functions.ts";
import { spatialFunctions } from "./spatial/spatial-functions.ts";
import { stringFunctions } from "./string-functions.ts";
import { durationFunctions } from "./temporal/duration-functions.ts";
import { temporalFunctions } from "./temporal/temporal-functions.ts";

export type AnyFunction = FunctionDefinition | AggregateDefinition;

/** Every function of both eras, in the order the documentation lists them. */
export const builtInFunctions: readonly AnyFunction[] = [
  ...aggregateFunctions,
  ...graphFunctions,
  ...listFunctions,
  ...conversionFunctions,
  ...stringFunctions,
  ...mathFunctions,
  ...temporalFunctions,
  ...durationFunctions,
  ...spatialFunctions,
];

/** The function of this name (in any case, synonyms too) that `mode` knows. */
export function findFunction(name: string, mode: Mode): AnyFunction | undefined {
  return BY_NAME[mode].get(name.toLowerCase());
}

/** The names of all functions `mode` knows, synonyms included. */
export function functionNames(mode: Mode): readonly string[] {
  return builtInFunctions
    .filter((definition) => definition.modes.includes(mode))
    .flatMap((definition) => [definition.name, ...definition.synonyms]);
}

const BY_NAME: Readonly<Record<Mode, ReadonlyMap<string, AnyFunction>>> = {
  modern: indexByName("modern"),
  "2.3": indexByName("2.3"),
};

function indexByName(mode: Mode): ReadonlyMap<string, AnyFunction> {
  return new Map(
    builtInFunctions
      .filter((definition) => definition.modes.includes(mode))
      .flatMap((definition) =>
        [definition.name, ...definition.synonyms].map((name): [string, AnyFunction] => [
          name.toLowerCase(),
          definition,
        ]),
      ),
  );
}
