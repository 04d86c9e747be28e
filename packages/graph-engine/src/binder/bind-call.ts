import { type CallYield, type ProcedureCall } from "@trefoil/cypher";
import { findNearestName } from "../functions/did-you-mean.ts";
import { type ProcedureDefinition } from "../procedures/procedure.ts";
import {
  alreadyDeclared,
  type BindContext,
  bindExpression,
  bindPredicate,
  typeMismatch,
  undefinedVariable,
  valuePlace,
} from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type BoundProcedureCall } from "./bound-query.ts";
import { fieldType } from "./field-type.ts";
import { conjunctsOf } from "./expression-tree.ts";
import { type Scope } from "./scope.ts";
import { anyType, mayBe, type StaticType } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** `CALL procedure(…) YIELD …`; what it yields is declared in `scope`. */
export function bindProcedureCall(clause: ProcedureCall, scope: Scope, context: BindContext): BoundProcedureCall {
  const name = [...clause.namespace, clause.name].join(".");
  const procedure = context.procedures.find(name);
  if (procedure === undefined) {
    const near = findNearestName(name, context.procedures.names());
    const hint = near === undefined ? "" : ` Did you mean \`${near}\`?`;
    throw context.errors.procedureNotFound(`There is no procedure with the name \`${name}\`.${hint}`, clause.position);
  }
  const args = bindArguments(clause, procedure, scope, context);
  const yields = bindYields(clause, procedure, scope, context);
  const where = clause.yield?.where;
  return {
    kind: "ProcedureCall",
    procedure,
    arguments: args,
    yields,
    optional: clause.optional,
    predicates: where === undefined ? [] : conjunctsOf(bindPredicate(where, valuePlace(context, scope))),
  };
}

function bindArguments(
  clause: ProcedureCall,
  procedure: ProcedureDefinition,
  scope: Scope,
  context: BindContext,
): readonly BoundExpression[] {
  const { inputs } = procedure;
  if (clause.arguments === undefined) {
    if (!clause.standalone && inputs.length > 0) {
      throw context.errors.syntax(
        `Procedure call inside a query needs its arguments in parentheses: ${procedure.name}(…)`,
        clause.position,
        "InvalidArgumentPassingMode",
      );
    }
    // Without parentheses the arguments are parameters of the inputs' names.
    return inputs.map((input): BoundExpression => {
      if (input.default !== undefined) {
        return { kind: "Literal", type: anyType, value: input.default };
      }
      context.parameters.add(input.name);
      context.implicitArguments.add(input.name);
      return { kind: "Parameter", type: anyType, name: input.name };
    });
  }
  const given = clause.arguments.length;
  const left = inputs.slice(given);
  if (given > inputs.length || left.some((input) => input.default === undefined)) {
    throw context.errors.syntax(
      `Procedure call does not provide the required number of arguments: got ${given} expected ${inputs.length}`,
      clause.position,
      "InvalidNumberOfArguments",
    );
  }
  const args = clause.arguments.map((argument, index) => {
    const bound = bindExpression(argument, valuePlace(context, scope));
    const type = fieldType(inputs[index]?.type ?? "ANY");
    if (!canPass(bound.type, type)) {
      throw typeMismatch(context, context.typeName(type), bound.type, argument.position);
    }
    return bound;
  });
  return [
    ...args,
    ...left.map((input): BoundExpression => ({ kind: "Literal", type: anyType, value: input.default ?? null })),
  ];
}

/** An INTEGER is taken where a FLOAT is asked for. */
function canPass(actual: StaticType, wanted: StaticType): boolean {
  if (wanted.kind === "any" || wanted.kind === "mixed" || wanted.kind === "union" || wanted.kind === "null") {
    return true;
  }
  return mayBe(actual, wanted.kind, ...(wanted.kind === "float" ? (["integer"] as const) : []));
}

function bindYields(
  clause: ProcedureCall,
  procedure: ProcedureDefinition,
  scope: Scope,
  context: BindContext,
): BoundProcedureCall["yields"] {
  const yields = clause.yield;
  const { outputs } = procedure;
  if (yields === undefined && !clause.standalone && outputs.length > 0) {
    throw context.errors.syntax(
      "Procedure call inside a query does not support naming results implicitly (name explicitly using `YIELD` instead)",
      clause.position,
      "UndefinedVariable",
    );
  }
  if (yields === undefined || yields.star) {
    return outputs.map((output, index) => {
      const variable = new Variable(output.name, fieldType(output.type), true);
      scope.declare(variable);
      return { index, variable };
    });
  }
  return yields.items.map((item) => bindYield(item, procedure, scope, context));
}

function bindYield(
  item: CallYield["items"][number],
  procedure: ProcedureDefinition,
  scope: Scope,
  context: BindContext,
): BoundProcedureCall["yields"][number] {
  const index = procedure.outputs.findIndex((output) => output.name === item.field);
  const output = procedure.outputs[index];
  if (output === undefined) {
    throw undefinedVariable(context, item.field, item.position);
  }
  const { name, position } = item.variable;
  if (scope.find(name) !== undefined) {
    throw alreadyDeclared(context, name, position);
  }
  const variable = new Variable(name, fieldType(output.type), true);
  scope.declare(variable);
  return { index, variable };
}
