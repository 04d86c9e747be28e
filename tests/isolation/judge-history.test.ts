import { describe, expect, test } from "vitest";
import { type AnomalyKind, type History, type Operation, type TransactionRecord } from "./history.ts";
import { judgeHistory } from "./judge-history.ts";

const [X, Y] = [0, 1];
const append = (key: number, value: number): Operation => ({ kind: "append", key, value });
const read = (key: number, values: readonly number[], statement = 0): Operation => ({
  kind: "read",
  key,
  values,
  statement,
});

/** Transactions that all overlap. */
function history(last: Record<number, readonly number[]>, ...transactions: readonly (readonly Operation[])[]): History {
  return {
    transactions: transactions.map((operations, id): TransactionRecord => ({
      id,
      began: id,
      ended: 100 + id,
      committed: true,
      operations,
    })),
    last: new Map(Object.entries(last).map(([key, values]) => [Number(key), values])),
  };
}

const aborted = ({ transactions, last }: History, id: number): History => ({
  last,
  transactions: transactions.map((each) => (each.id === id ? { ...each, committed: false } : each)),
});

const inOrder = ({ transactions, last }: History): History => ({
  last,
  transactions: transactions.map((each) => ({ ...each, began: each.id * 2, ended: each.id * 2 + 1 })),
});

/** Each anomaly in its smallest form, with everything that is to be said about it. */
const cases: readonly (readonly [name: string, history: History, found: readonly AnomalyKind[]])[] = [
  ["nothing", history({ 0: [1, 2] }, [append(X, 1)], [read(X, [1]), append(X, 2)], [read(X, [1, 2])]), []],
  [
    "writes in two orders",
    history({ 0: [1, 3], 1: [4, 2] }, [append(X, 1), append(Y, 2)], [append(X, 3), append(Y, 4)]),
    ["G0", "G1c", "G-nonadjacent", "G2"],
  ],
  ["an aborted read", aborted(history({ 0: [] }, [append(X, 1)], [read(X, [1])]), 0), ["G1a", "order"]],
  [
    "an intermediate read",
    history({ 0: [1, 2] }, [append(X, 1), append(X, 2)], [read(X, [1])]),
    ["G1b", "torn", "G-single", "G-nonadjacent", "G2"],
  ],
  [
    "each reading the other",
    history({ 0: [1], 1: [2] }, [append(X, 1), read(Y, [2])], [append(Y, 2), read(X, [1])]),
    ["G1c", "G-nonadjacent", "G2"],
  ],
  ["a lost update", history({ 0: [2] }, [read(X, []), append(X, 1)], [read(X, []), append(X, 2)]), ["lost"]],
  [
    "an update that was built on an old value",
    history({ 0: [1, 2] }, [read(X, []), append(X, 1)], [read(X, []), append(X, 2)]),
    ["G-single", "G-nonadjacent", "G2"],
  ],
  [
    "read skew of two statements",
    history({ 0: [1], 1: [2] }, [append(X, 1), append(Y, 2)], [read(X, []), read(Y, [2], 1)]),
    ["G-single", "G-nonadjacent", "G2"],
  ],
  [
    "a torn statement",
    history({ 0: [1], 1: [2] }, [append(X, 1), append(Y, 2)], [read(X, []), read(Y, [2])]),
    ["torn", "G-single", "G-nonadjacent", "G2"],
  ],
  ["write skew", history({ 0: [1], 1: [2] }, [read(Y, []), append(X, 1)], [read(X, []), append(Y, 2)]), ["G2"]],
  [
    "two readers that saw two orders",
    history(
      { 0: [1], 1: [2] },
      [append(X, 1)],
      [append(Y, 2)],
      [read(X, [1]), read(Y, [])],
      [read(Y, [2]), read(X, [])],
    ),
    ["G-nonadjacent", "G2"],
  ],
  ["a value from nowhere", history({ 0: [7] }, [read(X, [7])]), ["ghost"]],
  ["own writes missed", history({ 0: [1] }, [append(X, 1), read(X, [])]), ["internal"]],
  [
    "reads that contradict each other",
    history({ 0: [1, 2] }, [append(X, 1)], [append(X, 2)], [read(X, [2])]),
    ["order", "torn", "G-single", "G-nonadjacent", "G2"],
  ],
  ["an old value long after", inOrder(history({ 0: [1] }, [append(X, 1)], [read(X, [])])), ["realtime"]],
];

describe("the judge of histories finds", () => {
  test.each(cases)("%s", (_, given, expected) => {
    const found = judgeHistory(given, true).map(({ kind }) => kind);
    expect([...new Set(found)].toSorted()).toEqual(expected.toSorted());
  });

  test("write skew and phantoms among sets, whose order nobody knows", () => {
    const skew = history({ 0: [1], 1: [2] }, [read(Y, []), append(X, 1)], [read(X, []), append(Y, 2)]);
    expect(judgeHistory(skew, false).map(({ kind }) => kind)).toEqual(["G2"]);
    const unordered = history({ 0: [1, 2] }, [append(X, 1)], [append(X, 2)], [read(X, [2])]);
    expect(judgeHistory(unordered, false)).toEqual([]);
  });
});
