import { writeJson } from "../json/json-writer.ts";
import { CollectingSink } from "../protocol/text-sink.ts";
import { dataUrlOf, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { failureOf } from "../errors.ts";
import { runStatements } from "../transactions/run-statements.ts";
import { type TransactionServices } from "../transactions/transactional-endpoint.ts";
import { wireError } from "../transactions/wire-errors.ts";

/**
 * `transaction/commit` as a job of a batch: its statements run in the batch's transaction. An error in them is told in
 * the job's own answer; what the batch has done so far is rolled back, later jobs begin anew (measured).
 */
export function commitJob(services: TransactionServices): RestRoute {
  return {
    method: "POST",
    path: "/db/data/transaction/commit",
    handle: (call) => runCommitJob(call, services),
  };
}

async function runCommitJob(call: RestCall, services: TransactionServices): Promise<RestAnswer> {
  const sink = new CollectingSink();
  sink.write('{"results":[');
  const { error } = await runStatements(call.body, {
    ...services,
    transaction: call.unit.transaction,
    signal: call.signal,
    isOneShot: false,
    sink,
    onStatement: () => undefined,
    dataUrl: () => dataUrlOf(call),
  });
  if (error !== undefined) {
    call.unit.beginAgain();
  }
  const errors = error === undefined ? [] : [wireError(failureOf(error), services.statusCodePrefix)];
  sink.write(`],"errors":${writeJson(errors, "compact")}}`);
  return { status: 200, plain: { contentType: "application/json", text: sink.text } };
}
