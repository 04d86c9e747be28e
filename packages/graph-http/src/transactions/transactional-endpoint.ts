import { type Engine, type Mode } from "@trefoil/graph-engine";
import { type Isolation, ISOLATIONS, type TokenTables } from "@trefoil/graph-store";
import { failureOf, GraphRequestError } from "../errors.ts";
import { notificationRepresentation } from "../formats/notification.ts";
import { writeJson } from "../json/json-writer.ts";
import { stringText } from "../json/string-text.ts";
import { acceptsJson, isJsonInput } from "../protocol/accept.ts";
import { answer, answerNotFound, type Exchange } from "../protocol/exchange.ts";
import { expiryDate } from "../protocol/expiry-date.ts";
import { type Route } from "../protocol/routes.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { runStatements } from "./run-statements.ts";
import { type StatementCall, statementCallOf } from "./statement-call.ts";
import { type TransactionLease, type TransactionRegistry } from "./transaction-registry.ts";
import { wireError } from "./wire-errors.ts";

/** What the transactional endpoint works with. */
export interface TransactionServices {
  readonly engine: Engine;
  readonly mode: Mode;
  readonly statementTimeoutMs: number | undefined;
  readonly tokens: TokenTables;
  readonly registry: TransactionRegistry;
  readonly statusCodePrefix: StatusCodePrefix;
}

/**
 * `/db/data/transaction`: begin, execute, commit, roll back, and all at once (graph §4.1 to 4.4, graph-http §4).
 * The status is decided before the first statement runs; what goes wrong afterwards is told in `errors`.
 */
export function transactionRoutes(services: TransactionServices): readonly Route[] {
  const inTransaction = (endsWith: Ending) => (exchange: Exchange) => executeIn(exchange, services, endsWith);
  return [
    { method: "POST", path: TRANSACTION, handle: (exchange) => begin(statementCallOf(exchange), services) },
    {
      method: "POST",
      path: `${TRANSACTION}/commit`,
      handle: (exchange) => commitAtOnce(statementCallOf(exchange), services),
    },
    { method: "POST", path: `${TRANSACTION}/:id`, handle: inTransaction("open") },
    // graph §4.3: a GET with statements is answered like the POST.
    { method: "GET", path: `${TRANSACTION}/:id`, unlisted: true, handle: inTransaction("open") },
    { method: "DELETE", path: `${TRANSACTION}/:id`, handle: (exchange) => rollback(exchange, services) },
    { method: "POST", path: `${TRANSACTION}/:id/commit`, handle: inTransaction("commit") },
  ];
}

const TRANSACTION = "/db/data/transaction";

/** What becomes of the transaction when all statements went well. */
type Ending = "open" | "commit";

async function begin(call: StatementCall, services: TransactionServices): Promise<void> {
  const lease = isAcceptable(call) ? beginLease(call, services) : undefined;
  if (lease !== undefined) {
    const location = `${call.baseUrl}${TRANSACTION}/${lease.id}`;
    await run(call, services, lease, { status: 201, location, ending: "open" });
  }
}

/** One request is one transaction (graph §4.1). */
export async function commitAtOnce(call: StatementCall, services: TransactionServices): Promise<void> {
  const lease = isAcceptable(call) ? beginLease(call, services) : undefined;
  if (lease !== undefined) {
    await run(call, services, lease, { status: 200, ending: "commit", isOneShot: true });
  }
}

/** A new transaction; an answer was given when there can be none. */
function beginLease(call: StatementCall, services: TransactionServices): TransactionLease | undefined {
  try {
    return services.registry.begin(isolationOf(call), call.account);
  } catch (error) {
    answerWithError(call, services, 200, error);
    return undefined;
  }
}

async function executeIn(exchange: Exchange, services: TransactionServices, ending: Ending): Promise<void> {
  const id = idOf(exchange);
  const call = statementCallOf(exchange);
  if (id === undefined || !isAcceptable(call)) {
    return;
  }
  let lease: TransactionLease;
  try {
    lease = services.registry.acquire(id, call.account);
  } catch (error) {
    answerWithError(call, services, 404, error);
    return;
  }
  await run(call, services, lease, { status: 200, ending });
}

function rollback(exchange: Exchange, services: TransactionServices): void {
  const id = idOf(exchange);
  if (id === undefined) {
    return;
  }
  try {
    services.registry.rollback(id, exchange.request.graphAccount);
  } catch (error) {
    answerWithError(statementCallOf(exchange), services, 404, error);
    return;
  }
  answer(exchange, 200, { "content-type": "application/json" }, '{"results":[],"errors":[]}');
}

async function run(
  call: StatementCall,
  services: TransactionServices,
  lease: TransactionLease,
  plan: {
    readonly status: number;
    readonly location?: string;
    readonly ending: Ending;
    readonly isOneShot?: boolean;
  },
): Promise<void> {
  const { response } = call;
  const sink = call.openSink(plan.status, plan.location);
  const onClose = (): void => {
    lease.interrupt(new GraphRequestError("TransientError.Transaction.Terminated", "The client has gone."));
  };
  response.on("close", onClose);
  try {
    if (plan.ending === "open") {
      sink.write(`{"commit":${stringText(`${call.baseUrl}${TRANSACTION}/${lease.id}/commit`)},"results":[`);
    } else {
      sink.write('{"results":[');
    }
    const outcome = await runStatements(call.body, {
      engine: services.engine,
      mode: services.mode,
      statementTimeoutMs: services.statementTimeoutMs,
      tokens: services.tokens,
      transaction: lease.transaction,
      signal: lease.signal,
      isOneShot: plan.isOneShot ?? false,
      sink,
      onStatement: (statement) => lease.note(statement),
      dataUrl: () => `${call.baseUrl}/db/data`,
    });
    const error = outcome.error ?? (plan.ending === "commit" ? await commit(lease) : undefined);
    sink.write("]");
    if (outcome.notifications.length > 0) {
      const notifications = outcome.notifications.map((notification) =>
        notificationRepresentation(notification, services.statusCodePrefix),
      );
      sink.write(`,"notifications":${writeJson(notifications, "compact")}`);
    }
    if (error !== undefined) {
      // Any error ends the transaction, whatever it was (graph-measured, 2.2 beside 2.3).
      end(lease);
    } else if (plan.ending === "commit") {
      lease.forget();
    } else {
      sink.write(`,"transaction":{"expires":"${expiryDate(lease.keep())}"}`);
    }
    sink.write(`,"errors":${errorsText(error, call, services)}}`);
  } finally {
    response.off("close", onClose);
    sink.end();
  }
}

/** The error that kept the transaction from being committed, if any. */
async function commit(lease: TransactionLease): Promise<unknown> {
  try {
    await lease.transaction.commit();
    return undefined;
  } catch (error) {
    return error;
  }
}

function end(lease: TransactionLease): void {
  if (lease.transaction.state === "open") {
    lease.transaction.rollback();
  }
  lease.forget();
}

function errorsText(error: unknown, call: StatementCall, services: TransactionServices): string {
  if (error === undefined) {
    return "[]";
  }
  const failure = failureOf(error);
  if (failure.unexpected !== undefined) {
    call.log.error({ err: failure.unexpected }, "a statement failed unexpectedly");
  }
  return writeJson([wireError(failure, services.statusCodePrefix)], "compact");
}

function answerWithError(call: StatementCall, services: TransactionServices, status: number, error: unknown): void {
  const body = `{"results":[],"errors":${errorsText(error, call, services)}}`;
  call.answer(status, { "content-type": "application/json" }, body);
}

/** The id in the path, maybe with a sign; an answer was given when it is none. */
function idOf(exchange: Exchange): number | undefined {
  const text = exchange.parameters["id"] ?? "";
  if (!/^[+-]?\d{1,18}$/.test(text)) {
    answerNotFound(exchange.reply);
    return undefined;
  }
  return Number(text);
}

/** This endpoint takes and gives JSON and nothing else (graph-http §1); a missing type counts as JSON. */
function isAcceptable(call: StatementCall): boolean {
  const { headers } = call;
  if (!isJsonInput(headers["content-type"])) {
    call.answer(415, {});
    return false;
  }
  if (!acceptsJson(headers.accept)) {
    call.answer(406, {});
    return false;
  }
  return true;
}

/** The header `X-Isolation` of a begin (rulings, Graph 13). @throws GraphRequestError when it names no level */
function isolationOf(call: StatementCall): Isolation | undefined {
  const wanted = call.headers["x-isolation"];
  const isolation = ISOLATIONS.find((level) => level === wanted);
  if (wanted !== undefined && isolation === undefined) {
    const message = `Unknown isolation level in X-Isolation; known are ${ISOLATIONS.join(", ")}.`;
    throw new GraphRequestError("ClientError.Request.Invalid", message);
  }
  return isolation;
}
