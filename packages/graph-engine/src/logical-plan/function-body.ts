import { type Mode } from "@trefoil/cypher";
import { type BoundExpression } from "../binder/bound-expression.ts";
import { namingArgument } from "../functions/argument-text.ts";
import { type FunctionBody } from "../functions/function-definition.ts";
import { refuseOversized } from "../values/arithmetic.ts";
import { type Value } from "../values/value.ts";
import { expressionText } from "./expression-text.ts";

/** What a call runs: the function, in 2.3 with the argument as its messages quote it, and for integers of 64 bits alone. */
export function bodyOf(call: BoundExpression & { kind: "Call" }, mode: Mode): FunctionBody {
  const [argument] = call.arguments;
  const { call: body, namesArgument } = call.function;
  if (mode !== "2.3" || argument === undefined) {
    return body;
  }
  const named = namesArgument ? namingArgument(body, expressionText(argument)) : body;
  return call.arguments.some(({ type }) => ["any", "mixed", "union"].includes(type.kind))
    ? refusingOversized(named, call.arguments.length)
    : named;
}

/** Written out for one argument: this runs once per row and call. */
function refusingOversized(body: FunctionBody, argumentCount: number): FunctionBody {
  if (argumentCount === 1) {
    return (context, argument: Value) => {
      refuseOversized(argument);
      return body(context, argument);
    };
  }
  return (context, ...args) => {
    args.forEach(refuseOversized);
    return body(context, ...args);
  };
}
