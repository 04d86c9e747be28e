import { type Phase, QueryError } from "@trefoil/cypher";
import { type Value } from "../values/value.ts";

/** The first parameter a statement mentions that was not given. */
export function findMissingParameter(
  mentioned: Iterable<string>,
  given: ReadonlyMap<string, Value>,
): string | undefined {
  for (const name of mentioned) {
    if (!given.has(name)) {
      return name;
    }
  }
  return undefined;
}

/** A parameter's value where it is looked at. @throws ParameterMissing when it was not given */
export function givenParameter(value: Value | undefined, name: string): Value {
  if (value === undefined) {
    throw missingParameter(name, "runtime");
  }
  return value;
}

export function missingParameter(name: string, phase: Phase): QueryError {
  return new QueryError("ClientError.Statement.ParameterMissing", `Expected a parameter named ${name}`, {
    phase,
    tckDetail: "MissingParameter",
  });
}
