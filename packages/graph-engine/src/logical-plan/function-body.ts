import { type Mode } from "@trefoil/cypher";
import { type BoundExpression } from "../binder/bound-expression.ts";
import { namingArgument } from "../functions/argument-text.ts";
import { type FunctionBody } from "../functions/function-definition.ts";
import { expressionText } from "./expression-text.ts";

/** What a call runs: the function, in 2.3 with the argument as its messages quote it. */
export function bodyOf(call: BoundExpression & { kind: "Call" }, mode: Mode): FunctionBody {
  const [argument] = call.arguments;
  const { call: body, namesArgument } = call.function;
  return mode === "2.3" && namesArgument && argument !== undefined
    ? namingArgument(body, expressionText(argument))
    : body;
}
