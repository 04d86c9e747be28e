/** What a transaction did to one key, in its own order. Values are unique in a history. */
export type Operation =
  | { readonly kind: "append"; readonly key: number; readonly value: number }
  /** `statement` numbers the statements of a transaction: what one statement reads, it must see at one moment. */
  | { readonly kind: "read"; readonly key: number; readonly values: readonly number[]; readonly statement: number };

/** A transaction as its client saw it. */
export interface TransactionRecord {
  readonly id: number;
  /** Places in one order of all beginnings and ends. */
  readonly began: number;
  readonly ended: number;
  readonly committed: boolean;
  readonly operations: readonly Operation[];
}

export interface History {
  readonly transactions: readonly TransactionRecord[];
  /** What was read by key when all had ended. */
  readonly last: ReadonlyMap<number, readonly number[]>;
}

/**
 * Kinds of anomalies, after Adya: `G0` cycles of writes, `G1a` aborted, `G1b` intermediate reads, `G1c` cycles of writes
 * and reads; `G-single` a cycle with one anti-dependency (read skew, lost update of several statements), `G-nonadjacent`
 * with several, no two in a row; `G2` any cycle. `lost` an acknowledged write that is not there at the end, `ghost` one
 * that nobody made, `order` two reads that cannot both be right, `internal` a transaction that misses its own writes,
 * `torn` one reading statement that saw two moments. `realtime`: a cycle only when who ended before another began comes
 * first.
 */
export type AnomalyKind =
  | "G0"
  | "G1a"
  | "G1b"
  | "G1c"
  | "G-single"
  | "G-nonadjacent"
  | "G2"
  | "lost"
  | "ghost"
  | "order"
  | "internal"
  | "torn"
  | "realtime";

export interface Anomaly {
  readonly kind: AnomalyKind;
  /** For whoever has to understand it. */
  readonly text: string;
}

const ALWAYS: readonly AnomalyKind[] = ["G0", "G1a", "G1b", "G1c", "lost", "ghost", "order", "internal", "torn"];

/** What must not happen at which level (rulings, Graph 15; decisions/0120). */
export const forbidden = {
  "read-committed": ALWAYS,
  snapshot: [...ALWAYS, "G-single", "G-nonadjacent"],
  serializable: [...ALWAYS, "G-single", "G-nonadjacent", "G2", "realtime"],
} as const satisfies Readonly<Record<string, readonly AnomalyKind[]>>;

export type Level = keyof typeof forbidden;
