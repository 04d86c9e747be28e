import { type ShowCommand, type StatementBody, type TerminateTransactions } from "@trefoil/cypher";
import { DurationValue } from "@trefoil/graph-store";
import { type ProcedureDefinition } from "../procedures/procedure.ts";
import { type TransactionDirectory } from "../procedures/transaction-directory.ts";
import { typeError } from "../values/query-errors.ts";
import { describeType } from "../values/type-of.ts";
import { isList } from "../values/value-kind.ts";
import { type Value } from "../values/value.ts";
import { type ShownColumn, type ShownRows } from "./show-as-query.ts";

/** The subjects behind `SHOW TRANSACTIONS` and `TERMINATE TRANSACTIONS`. */
type TransactionSubject = "transactions" | "terminated transactions";

const COLUMNS: Readonly<Record<TransactionSubject, readonly ShownColumn[]>> = {
  transactions: [
    { name: "transactionId", type: "STRING" },
    { name: "username", type: "STRING" },
    { name: "currentQuery", type: "STRING" },
    { name: "startTime", type: "STRING" },
    { name: "status", type: "STRING" },
    { name: "elapsedTime", type: "DURATION" },
  ],
  "terminated transactions": [
    { name: "transactionId", type: "STRING" },
    { name: "username", type: "STRING" },
    { name: "message", type: "STRING" },
  ],
};

export type TransactionCommand = TerminateTransactions | (ShowCommand & { readonly subject: "transactions" });

export function isTransactionCommand(body: StatementBody): body is TransactionCommand {
  return body.kind === "TerminateTransactions" || (body.kind === "ShowCommand" && body.subject === "transactions");
}

/** Which rows the command has, and the ids that it names. */
export function shownTransactions({ kind, ids, position }: TransactionCommand): ShownRows & {
  readonly subject: TransactionSubject;
} {
  const subject = kind === "ShowCommand" ? "transactions" : "terminated transactions";
  return { subject, columns: COLUMNS[subject], argument: { kind: "ListLiteral", position, items: ids } };
}

/** The procedure behind the two commands; its argument are the ids that they name, texts or lists of them. */
export function transactionProcedure(
  subject: TransactionSubject,
  directory: TransactionDirectory,
): ProcedureDefinition {
  return {
    name: `show.${subject}`,
    mode: "read",
    inputs: [{ name: "ids", type: "LIST<ANY>", nullable: false }],
    outputs: COLUMNS[subject].map(({ name, type }) => ({ name, type, nullable: true })),
    call: ([named = null], { transaction }) => {
      const ids = idsIn(named);
      const listed = directory.list(transaction);
      if (subject === "transactions") {
        return listed
          .filter(({ id }) => ids.length === 0 || ids.includes(id))
          .map(({ id, user, statement, isRunning, startedAtMs, elapsedMs }) => [
            id,
            user ?? null,
            statement ?? null,
            new Date(startedAtMs).toISOString(),
            isRunning ? "Running" : "Idle",
            elapsed(elapsedMs),
          ]);
      }
      return ids.map((id) => {
        const found = listed.find((each) => each.id === id);
        if (found === undefined) {
          return [id, null, "Transaction not found."];
        }
        directory.terminate(id);
        return [id, found.user ?? null, "Transaction terminated."];
      });
    },
  };
}

function idsIn(named: Value): readonly string[] {
  if (isList(named)) {
    return named.flatMap(idsIn);
  }
  if (typeof named === "string" || typeof named === "number") {
    return [String(named)];
  }
  throw typeError(`Type mismatch: expected a transaction id but was ${describeType(named)}`);
}

function elapsed(ms: number): DurationValue {
  return new DurationValue(0, 0, BigInt(Math.floor(ms / 1000)), (ms % 1000) * 1e6);
}
