import { type ProcedureCall } from "@trefoil/cypher";
import { type BindContext } from "./bind-context.ts";
import { type BoundProcedureCall } from "./bound-query.ts";
import { type Scope } from "./scope.ts";

/** `CALL procedure(…) YIELD …`. */
export function bindProcedureCall(clause: ProcedureCall, _scope: Scope, context: BindContext): BoundProcedureCall {
  const name = [...clause.namespace, clause.name].join(".");
  throw context.errors.procedureNotFound(
    `There is no procedure with the name \`${name}\` registered for this database instance.`,
    clause.position,
  );
}
