export type { Direction, ExpandBuffer, IdCursor, ReadView, TokenTable, TokenTables } from "./read-view.ts";
export type { Isolation, Transaction, TransactionState, UpdateCounts } from "./transactions/transaction.ts";
export type { PropertyScalar, PropertyValue } from "./values/property-value.ts";
export { floatOf, integerOf, isIntegerNumber, WholeFloat } from "./values/whole-float.ts";
