import { type History, type Operation } from "./history.ts";

/** A write to a register and the value that its transaction had read there just before. */
export type RegisterWrite = Extract<Operation, { kind: "append" }> & { readonly after: number | undefined };

/**
 * A history of registers as one of lists: a value stands for all that led to it, as each write says what it was built
 * on. Two writes on one value make two lists, of which only one can be in the end: the other one's write is lost.
 */
export function registersAsLists(history: History, writes: readonly RegisterWrite[]): History {
  const before = new Map(writes.map(({ value, after }) => [value, after]));
  const listOf = (values: readonly number[]): readonly number[] => {
    const list: number[] = [];
    for (let value = values[0]; value !== undefined && !list.includes(value); value = before.get(value)) {
      list.unshift(value);
    }
    return list;
  };
  return {
    transactions: history.transactions.map((transaction) => ({
      ...transaction,
      operations: transaction.operations.map((operation) =>
        operation.kind === "read" ? { ...operation, values: listOf(operation.values) } : operation,
      ),
    })),
    last: new Map(Array.from(history.last, ([key, values]) => [key, listOf(values)])),
  };
}
