import { DependencyGraph } from "./dependency-graph.ts";
import { type Anomaly, type AnomalyKind, type History, type Operation, type TransactionRecord } from "./history.ts";

type Read = Extract<Operation, { kind: "read" }>;

/**
 * Finds anomalies in a history of appends and reads, as Elle does: every value says who wrote it, and a list says in
 * which order. Of sets (`ordered` false) only membership is known.
 */
export function judgeHistory(history: History, ordered: boolean): readonly Anomaly[] {
  return new Judge(history, ordered).judge();
}

class Judge {
  readonly #history: History;
  readonly #ordered: boolean;
  readonly #byId: ReadonlyMap<number, TransactionRecord>;
  readonly #writers = new Map<number, { readonly transaction: TransactionRecord; readonly isFinal: boolean }>();
  /** Committed values by key, in their order where there is one. */
  readonly #versions = new Map<number, readonly number[]>();
  readonly #graph = new DependencyGraph();
  readonly #anomalies: Anomaly[] = [];

  constructor(history: History, ordered: boolean) {
    this.#history = history;
    this.#ordered = ordered;
    this.#byId = new Map(history.transactions.map((transaction) => [transaction.id, transaction]));
  }

  judge(): readonly Anomaly[] {
    this.#collectWriters();
    for (const [key, values] of this.#history.last) {
      this.#versions.set(key, values);
    }
    this.#checkLast();
    for (const transaction of this.#history.transactions) {
      this.#checkReads(transaction);
    }
    this.#connect();
    this.#findCircles();
    return this.#anomalies;
  }

  #collectWriters(): void {
    for (const transaction of this.#history.transactions) {
      const appends = transaction.operations.filter((operation) => operation.kind === "append");
      appends.forEach(({ key, value }, at) => {
        const isFinal = !appends.slice(at + 1).some((later) => later.key === key);
        this.#writers.set(value, { transaction, isFinal });
      });
    }
  }

  #checkLast(): void {
    const present = new Set([...this.#versions.values()].flat());
    for (const [value, { transaction }] of this.#writers) {
      if (transaction.committed !== present.has(value)) {
        this.#report(
          transaction.committed ? "lost" : "G1a",
          `value ${value} of ${describe(transaction)} is ${transaction.committed ? "not " : ""}there at the end`,
        );
      }
    }
  }

  #checkReads(transaction: TransactionRecord): void {
    if (!transaction.committed) {
      return;
    }
    const own = new Map<number, number[]>();
    for (const operation of transaction.operations) {
      if (operation.kind === "append") {
        own.set(operation.key, [...(own.get(operation.key) ?? []), operation.value]);
      } else {
        this.#checkRead(transaction, operation, own.get(operation.key) ?? []);
      }
    }
  }

  #checkRead(transaction: TransactionRecord, { key, values }: Read, own: readonly number[]): void {
    const missing = own.filter((value) => !values.includes(value));
    if (missing.length > 0 || (this.#ordered && own.some((value, at) => values.at(at - own.length) !== value))) {
      this.#report("internal", `${describe(transaction)} read ${list(values)} at ${key} after appending ${list(own)}`);
    }
    for (const value of values) {
      const writer = this.#writers.get(value);
      if (writer === undefined) {
        this.#report("ghost", `${describe(transaction)} read ${value} at ${key}, which nobody wrote`);
      } else if (!writer.transaction.committed) {
        this.#report(
          "G1a",
          `${describe(transaction)} read ${value} of ${describe(writer.transaction)}, which was aborted`,
        );
      }
    }
    this.#checkIntermediate(transaction, key, values);
    const known = this.#versions.get(key) ?? [];
    const committed = values.filter((value) => !own.includes(value));
    if (this.#ordered && committed.some((value, at) => known[at] !== value)) {
      this.#report(
        "order",
        `${describe(transaction)} read ${list(values)} at ${key}, at the end it was ${list(known)}`,
      );
    }
  }

  /** Of what another transaction appended to a key either all is seen or nothing. */
  #checkIntermediate(transaction: TransactionRecord, key: number, values: readonly number[]): void {
    const writers = new Set(values.map((value) => this.#writers.get(value)?.transaction));
    for (const writer of writers) {
      if (writer !== undefined && writer !== transaction) {
        const missing = appendsTo(writer, key).filter((value) => !values.includes(value));
        if (missing.length > 0) {
          this.#report(
            "G1b",
            `${describe(transaction)} read ${list(values)} at ${key} without ${list(missing)} of the same`,
          );
        }
      }
    }
  }

  #connect(): void {
    if (this.#ordered) {
      for (const values of this.#versions.values()) {
        this.#connectVersions(values);
      }
    }
    for (const transaction of this.#history.transactions.filter(({ committed }) => committed)) {
      for (const operation of transaction.operations) {
        if (operation.kind === "read") {
          this.#connectRead(transaction, operation);
        }
      }
    }
  }

  #connectVersions(values: readonly number[]): void {
    for (let at = 1; at < values.length; at++) {
      const [earlier, later] = [this.#writerOf(values[at - 1]), this.#writerOf(values[at])];
      if (earlier !== undefined && later !== undefined) {
        this.#graph.add(earlier.id, later.id, "ww");
      }
    }
  }

  #connectRead(reader: TransactionRecord, { key, values }: Read): void {
    const seen = new Set(values);
    for (const value of values) {
      const writer = this.#writerOf(value);
      if (writer !== undefined) {
        this.#graph.add(writer.id, reader.id, "wr");
      }
    }
    const unseen = (this.#versions.get(key) ?? []).filter((value) => !seen.has(value));
    for (const value of this.#ordered ? unseen.slice(0, 1) : unseen) {
      const writer = this.#writerOf(value);
      if (writer !== undefined) {
        this.#graph.add(reader.id, writer.id, "rw");
      }
    }
  }

  #findCircles(): void {
    this.#reportCircle("G0", this.#graph.findCircle(["ww"]));
    this.#reportCircle("G1c", this.#graph.findCircle(["ww", "wr"]));
    this.#reportCircle(
      "torn",
      this.#graph.findCircleWithOneRw((id) => isOneReadingStatement(this.#byId.get(id))),
    );
    this.#reportCircle("G-single", this.#graph.findCircleWithOneRw());
    this.#reportCircle("G-nonadjacent", this.#graph.findCircleWithoutAdjacentRw());
    const any = this.#graph.findCircle(["ww", "wr", "rw"]);
    this.#reportCircle("G2", any);
    if (any === undefined) {
      this.#addRealTime();
      this.#reportCircle("realtime", this.#graph.findCircle(["ww", "wr", "rw", "rt"]));
    }
  }

  /** Who ended before another began comes before it; edges that others imply are left out. */
  #addRealTime(): void {
    const committed = this.#history.transactions.filter((transaction) => transaction.committed);
    const byEnd = committed.toSorted((left, right) => left.ended - right.ended);
    for (const later of committed) {
      const before = byEnd.filter(({ ended }) => ended < later.began);
      const latestBegin = Math.max(...before.map(({ began }) => began));
      for (const earlier of before.filter(({ ended }) => ended > latestBegin)) {
        this.#graph.add(earlier.id, later.id, "rt");
      }
    }
  }

  #writerOf(value: number | undefined): TransactionRecord | undefined {
    return value === undefined ? undefined : this.#writers.get(value)?.transaction;
  }

  #reportCircle(kind: AnomalyKind, circle: readonly number[] | undefined): void {
    if (circle !== undefined) {
      const members = circle.map((id) => this.#byId.get(id)).filter((member) => member !== undefined);
      this.#report(kind, members.map(describe).join(" before "));
    }
  }

  #report(kind: AnomalyKind, text: string): void {
    this.#anomalies.push({ kind, text });
  }
}

function appendsTo({ operations }: TransactionRecord, key: number): number[] {
  return operations.flatMap((operation) =>
    operation.kind === "append" && operation.key === key ? [operation.value] : [],
  );
}

/** A transaction that does nothing but read in one statement: even at read-committed it sees one moment. */
function isOneReadingStatement(transaction: TransactionRecord | undefined): boolean {
  const reads = transaction?.operations ?? [];
  const [first] = reads;
  return first?.kind === "read" && reads.every((each) => each.kind === "read" && each.statement === first.statement);
}

function describe({ id, operations }: TransactionRecord): string {
  const steps = operations.map((operation) =>
    operation.kind === "append"
      ? `append ${operation.value} to ${operation.key}`
      : `read ${operation.key}: ${list(operation.values)}`,
  );
  return `T${id} (${steps.join(", ")})`;
}

function list(values: readonly number[]): string {
  return `[${values.join()}]`;
}
