export { RetryableError, StartError } from "@trefoil/base";
export { type Mode, QueryError } from "@trefoil/cypher";
export { type PlanDescription, type SignatureType, temporalText as textOf } from "@trefoil/graph-engine";
export {
  type BackupReport,
  type CoordinateSystem,
  DateTimeValue,
  DateValue,
  DurationValue,
  floatOf as float,
  ImportError,
  type ImportOptions,
  type ImportProgress,
  type ImportReport,
  type Isolation,
  LocalDateTimeValue,
  LocalTimeValue,
  PointValue,
  StoreError,
  type TemporalValue,
  TimeValue,
  type UpdateCounts,
} from "@trefoil/graph-store";
export { type Definitions, type Field, type Procedure, type ProcedureRows, type ScalarFunction } from "./extensions.ts";
export { type GraphTransaction, type StatementOptions, type StatementRunner } from "./graph-transaction.ts";
export { type Graph, type GraphOptions, openGraph, type TransactionOptions, type WorkOptions } from "./open-graph.ts";
export { type QueryResult, type Row, type RowStream } from "./result.ts";
export {
  type GraphMap,
  type GraphParameter,
  type GraphParameters,
  type GraphValue,
  Node,
  Path,
  Relationship,
} from "./values/graph-value.ts";
