import { type Engine, type Value } from "@trefoil/graph-engine";
import { type GraphStore, type Isolation, type Transaction } from "@trefoil/graph-store";
import { type History, type Operation, type TransactionRecord } from "./history.ts";
import { registersAsLists, type RegisterWrite } from "./registers.ts";
import { KEYS, type Workload } from "./workloads.ts";

export interface RunOptions {
  readonly isolation: Isolation;
  readonly seed: number;
  readonly clients: number;
  readonly transactionsPerClient: number;
  /** Most statements of a transaction; 1 for statements alone. */
  readonly statements: number;
}

export interface Run {
  readonly history: History;
  /** How often a transaction ended with which code. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** Lets clients work at the same time, and writes down what each of them saw. */
export async function runWorkload(
  store: GraphStore,
  engine: Engine,
  workload: Workload,
  options: RunOptions,
): Promise<Run> {
  const random = randomFrom(options.seed);
  const transactions: TransactionRecord[] = [];
  const outcomes = new Map<string, number>();
  const writes: RegisterWrite[] = [];
  let [moment, nextValue] = [0, 1];
  const client = async (): Promise<void> => {
    for (let round = 0; round < options.transactionsPerClient; round++) {
      const operations: Operation[] = [];
      const began = moment++;
      const transaction = store.begin({ isolation: options.isolation });
      let outcome = "committed";
      try {
        for (let statement = random(options.statements); statement >= 0; statement--) {
          const step = random(2) === 0 ? append : random(2) === 0 ? readOne : readAll;
          // Twice the number, so that a read that belongs to a write has one of its own.
          await step(transaction, operations, statement * 2);
          await pause(random(3));
        }
        await (random(12) === 0 ? giveUp(transaction) : transaction.commit());
      } catch (error) {
        transaction.rollback();
        outcome = codeOf(error);
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      const committed = outcome === "committed";
      transactions.push({ id: transactions.length, began, ended: moment++, committed, operations });
    }
  };

  const pick = <T>(among: readonly T[]): T => among[random(among.length)] as T;
  const append = async (transaction: Transaction, operations: Operation[], statement: number): Promise<void> => {
    const [key, value] = [random(KEYS), nextValue++];
    if (workload.register === true) {
      const [after] = await readKey(transaction, operations, key, statement + 1);
      writes.push({ kind: "append", key, value, after });
      await pause(random(2));
    }
    operations.push({ kind: "append", key, value });
    await rowsOf(engine, transaction, pick(workload.append), { k: key, v: value });
  };
  const readKey = async (
    transaction: Transaction,
    operations: Operation[],
    key: number,
    statement: number,
  ): Promise<readonly number[]> => {
    const rows = await rowsOf(engine, transaction, pick(workload.readOne), { k: key });
    const values = valuesByKey(rows).get(key) ?? [];
    operations.push({ kind: "read", key, values, statement });
    return values;
  };
  const readOne = async (transaction: Transaction, operations: Operation[], statement: number): Promise<void> => {
    await readKey(transaction, operations, random(KEYS), statement);
  };
  const readAll = async (transaction: Transaction, operations: Operation[], statement: number): Promise<void> => {
    const byKey = valuesByKey(await rowsOf(engine, transaction, pick(workload.readAll), {}));
    for (let key = 0; key < KEYS; key++) {
      operations.push({ kind: "read", key, values: byKey.get(key) ?? [], statement });
    }
  };

  await Promise.all(Array.from({ length: options.clients }, client));
  const last = store.begin();
  const present = valuesByKey(await rowsOf(engine, last, workload.readAll[0] as string, {}));
  last.rollback();
  const history = { transactions, last: present };
  return { history: workload.register === true ? registersAsLists(history, writes) : history, outcomes };
}

export async function rowsOf(
  engine: Engine,
  transaction: Transaction,
  text: string,
  parameters: Readonly<Record<string, Value>>,
): Promise<readonly (readonly Value[])[]> {
  const result = await engine.execute(transaction, text, new Map(Object.entries(parameters)));
  const rows: (readonly Value[])[] = [];
  for await (const batch of result.rows) {
    rows.push(...batch);
  }
  return rows;
}

/** A rollback that its client wanted: for the history the same as any other. */
function giveUp(transaction: Transaction): never {
  transaction.rollback();
  throw Object.assign(new Error("given up"), { code: "given up" });
}

function valuesByKey(rows: readonly (readonly Value[])[]): Map<number, number[]> {
  const values = new Map<number, number[]>();
  for (const [key, value] of rows) {
    const more = (Array.isArray(value) ? value : [value]) as number[];
    values.set(key as number, [...(values.get(key as number) ?? []), ...more]);
  }
  return values;
}

function pause(turns: number): Promise<void> {
  return turns === 0
    ? Promise.resolve()
    : new Promise<void>((resolve) => {
        setImmediate(resolve);
      }).then(() => pause(turns - 1));
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code !== "string") {
    throw error;
  }
  return code;
}

/** Random but repeatable, as far as the order in which the disk answers is. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}
