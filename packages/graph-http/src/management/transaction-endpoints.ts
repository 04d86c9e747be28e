import { includesRole } from "../authentication/roles.ts";
import { GraphRequestError } from "../errors.ts";
import { answer, answerNotFound, errorsBody, type Exchange, JSON_TYPE } from "../protocol/exchange.ts";
import { type Route } from "../protocol/routes.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { type OpenTransaction, type TransactionRegistry } from "../transactions/transaction-registry.ts";

const TRANSACTIONS = "/db/manage/server/transactions";

/** Open transactions of everybody, for administrators: what they are doing, and their end (rulings, Graph 13). */
export function transactionManagementRoutes(registry: TransactionRegistry, prefix: StatusCodePrefix): readonly Route[] {
  const forAdministrators =
    (handle: Route["handle"]): Route["handle"] =>
    (exchange) => {
      const account = exchange.request.graphAccount;
      if (account === undefined || includesRole(account.role, "admin")) {
        return handle(exchange);
      }
      const message = `The role ${account.role} does not allow this: it takes the role admin.`;
      const body = errorsBody(`${prefix}.ClientError.Security.AuthorizationFailed`, message);
      answer(exchange, 403, { "content-type": JSON_TYPE }, body);
      return undefined;
    };
  const one = (exchange: Exchange): OpenTransaction | undefined =>
    registry.list().find(({ id }) => String(id) === exchange.parameters["id"]);
  return [
    {
      method: "GET",
      path: TRANSACTIONS,
      handle: forAdministrators((exchange) => answerJson(exchange, { transactions: registry.list().map(describe) })),
    },
    {
      method: "GET",
      path: `${TRANSACTIONS}/:id`,
      handle: forAdministrators((exchange) => {
        const found = one(exchange);
        if (found === undefined) {
          answerNotFound(exchange.reply);
        } else {
          answerJson(exchange, describe(found));
        }
      }),
    },
    {
      method: "DELETE",
      path: `${TRANSACTIONS}/:id`,
      handle: forAdministrators((exchange) => {
        try {
          registry.terminate(Number(exchange.parameters["id"]));
        } catch (error) {
          if (!(error instanceof GraphRequestError)) {
            throw error;
          }
          answerNotFound(exchange.reply);
          return;
        }
        answer(exchange, 204, {});
      }),
    },
  ];
}

/** Times in ISO 8601; what is not known is left out. */
function describe({ id, user, isBusy, statement, startedAtMs, expiresAtMs }: OpenTransaction): object {
  return {
    id,
    user,
    state: isBusy ? "running" : "idle",
    statement,
    startedAt: new Date(startedAtMs).toISOString(),
    expiresAt: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
  };
}

function answerJson(exchange: Exchange, body: object): void {
  answer(exchange, 200, { "content-type": JSON_TYPE }, JSON.stringify(body));
}
