import { QueryError } from "@trefoil/cypher";
import { type Accumulator } from "./aggregates/accumulator.ts";
import { type FunctionBody } from "./function-definition.ts";

/** Stands in a message of 2.3 for the argument as it was written, which functions don't know. */
export const ARGUMENT_TEXT = "…";

/** A function whose failures name its argument: `Expected n.k to be a path.` */
export function namingArgument(call: FunctionBody, text: string): FunctionBody {
  return (context, ...args) => {
    try {
      return call(context, ...args);
    } catch (error) {
      throw withArgumentText(error, text);
    }
  };
}

/** As {@link namingArgument}, for aggregates: `SUM(n.k) can only handle numerical values, or null.` */
export function namingArgumentOf(accumulator: Accumulator, text: string): Accumulator {
  return {
    add: (value, second) => {
      try {
        accumulator.add(value, second);
      } catch (error) {
        throw withArgumentText(error, text);
      }
    },
    result: () => accumulator.result(),
  };
}

function withArgumentText(error: unknown, text: string): unknown {
  if (!(error instanceof QueryError) || !error.message.includes(ARGUMENT_TEXT)) {
    return error;
  }
  const { code, message, phase, position, tckDetail, cause } = error;
  return new QueryError(
    code,
    message.replace(ARGUMENT_TEXT, () => text),
    { phase, position, tckDetail, cause },
  );
}
