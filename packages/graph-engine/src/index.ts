export { type PlanDescription } from "./logical-plan/plan-description.ts";
export { type QueryType } from "./logical-plan/query-type.ts";
export { type Notification } from "./notifications/notification.ts";
export { type Batch, type StatementResult, type StatementSummary } from "./runtime/statement-result.ts";
export { type FunctionRegistry, type UserFunction } from "./functions/function-registry.ts";
export { type SignatureType } from "./functions/function-definition.ts";
export { floatText } from "./values/float-text.ts";
export { type GraphAccess } from "./values/graph-access.ts";
export { type Mode } from "@trefoil/cypher";
export { type ListValue, type MapValue, NodeValue, PathValue, RelationshipValue, type Value } from "./values/value.ts";
export {
  createEngine,
  type Engine,
  type EngineLimits,
  type EngineOptions,
  type ExecuteOptions,
  type StatementInspection,
} from "./session.ts";
export { type ShownTransaction, type TransactionDirectory } from "./procedures/transaction-directory.ts";
export { temporalText } from "./values/temporal/temporal-text.ts";
export { isTemporal } from "./values/value-kind.ts";
export {
  type ProcedureContext,
  type ProcedureDefinition,
  type ProcedureField,
  type ProcedureRows,
} from "./procedures/procedure.ts";
export { type ProcedureRegistry } from "./procedures/procedure-registry.ts";
