export { type BackupReport } from "./backup/backup-manifest.ts";
export { restoreBackup, type RestoreReport } from "./backup/restore-backup.ts";
export {
  type BaseAdjacency,
  type BaseAdjacencyList,
  type BaseArrays,
  type BaseColumn,
  type BaseNodes,
  type BaseProperties,
  type BaseRelationships,
  type BaseStrings,
} from "./base-arrays.ts";
export { type AutoIndexing, autoIndexName, type LegacyConfig } from "./indexes/legacy/legacy-change.ts";
export { legacyTexts } from "./indexes/legacy/auto-index.ts";
export { type LegacyIndexAccess } from "./indexes/legacy/legacy-writer.ts";
export { LuceneSyntaxError } from "./indexes/legacy/lucene-query.ts";
export { type LegacyHit } from "./indexes/legacy/run-query.ts";
export { familyOf, type OrderFamily, orderKeyOf, type ValueRange } from "./indexes/order-key.ts";
export {
  type ConstraintDefinition,
  type ConstraintKind,
  type EntityKind,
  type IndexDefinition,
  type IndexKind,
  isExistence,
  isUniqueness,
  isValueIndex,
} from "./schema/definitions.ts";
export { type Schema } from "./schema/schema.ts";
export { constraintText, indexPlace } from "./schema/schema-text.ts";
export { type ConstraintRequest, type IndexRequest } from "./transactions/schema-writer.ts";
export { type TextHit } from "./view/text-search.ts";
export { type ColumnKind, NO_INT32, NO_INT64 } from "./columns/column-kind.ts";
export { ImportError, type ImportPlace } from "./import/import-error.ts";
export { type ImportOptions, type ImportProgress, type ImportReport } from "./import/import-csv.ts";
export {
  StoreConflictError,
  StoreCorruptionError,
  StoreError,
  type StoreErrorCode,
  type StoreRetryCode,
} from "./errors.ts";
export { type GraphStore, type GraphStoreOptions, openGraphStore, openSharedGraph } from "./graph-store.ts";
export { type SharedGraph } from "./sharing/shared-graph.ts";
export {
  type Direction,
  type ExpandBuffer,
  type IdCursor,
  type IdRange,
  type ReadView,
  type TokenTable,
  type TokenTables,
} from "./read-view.ts";
export { type ConnectedNodeCode } from "./transactions/store-core.ts";
export { type StoreStatistics } from "./transactions/store-statistics.ts";
export {
  type Isolation,
  ISOLATIONS,
  NO_UPDATES,
  type Transaction,
  type TransactionState,
  type UpdateCounts,
} from "./transactions/transaction.ts";
export {
  type CoordinateSystem,
  DateTimeValue,
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  PointValue,
  type TemporalValue,
  TimeValue,
} from "./values/temporal-values.ts";
export { type PropertyScalar, type PropertyValue } from "./values/property-value.ts";
export { floatOf, integerOf, isIntegerNumber, WholeFloat } from "./values/whole-float.ts";
