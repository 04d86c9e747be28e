import { AccountFileError, readAccountFile2x } from "../authentication/account-file-2x.ts";
import { AccountError, type AccountStore } from "../authentication/account-store.ts";
import { isRole, ROLES, type Role } from "../authentication/roles.ts";
import { JsonError } from "../json/json-error.ts";
import { type JsonValue, parseJson } from "../json/json-reader.ts";
import { answer, errorsBody, type Exchange, JSON_TYPE } from "../protocol/exchange.ts";
import { type Route } from "../protocol/routes.ts";
import { type StatusCodePrefix } from "../status-codes.ts";

const USERS = "/management/users";

type JsonMap = ReadonlyMap<string, JsonValue>;

/** Accounts as the command line works on them (`trefoil graph user …`, `graph import-auth`). */
export function userManagementRoutes(accounts: AccountStore | undefined, prefix: StatusCodePrefix): readonly Route[] {
  const route = (
    method: Route["method"],
    path: string,
    work: (accounts: AccountStore, input: JsonMap, name: string) => Promise<object> | object,
  ): Route => ({
    method,
    path,
    handle: async (exchange) => {
      try {
        if (accounts === undefined) {
          throw new AccountError("authentication is off (graph.auth_enabled): there are no users");
        }
        const result = await work(accounts, readBody(exchange), exchange.parameters["name"] ?? "");
        answer(exchange, 200, { "content-type": JSON_TYPE }, JSON.stringify(result));
      } catch (error) {
        if (!(error instanceof AccountError || error instanceof AccountFileError || error instanceof JsonError)) {
          throw error;
        }
        const body = errorsBody(`${prefix}.ClientError.Request.Invalid`, error.message);
        answer(exchange, 409, { "content-type": JSON_TYPE }, body);
      }
    },
  });
  return [
    route("GET", USERS, (store) => ({ users: store.list() })),
    route("POST", USERS, async (store, input) => {
      const name = textOf(input, "name");
      const account = {
        name,
        role: roleOf(input),
        passwordChangeRequired: input.get("passwordChangeRequired") === true,
      };
      await store.create(account, textOf(input, "password"));
      return account;
    }),
    route("DELETE", `${USERS}/:name`, async (store, _input, name) => {
      await store.delete(name);
      return { name };
    }),
    route("PUT", `${USERS}/:name/password`, async (store, input, name) => {
      await store.changePassword(name, textOf(input, "password"), input.get("passwordChangeRequired") === true);
      return { name };
    }),
    route("PUT", `${USERS}/:name/role`, async (store, input, name) => {
      await store.setRole(name, roleOf(input));
      return { name, role: store.find(name)?.role };
    }),
    route("POST", `${USERS}/import`, async (store, input) => {
      const imported = readAccountFile2x(textOf(input, "text"));
      await store.import(imported);
      return { imported: imported.map(({ name }) => name) };
    }),
  ];
}

function readBody({ body }: Exchange): JsonMap {
  if (body.length === 0) {
    return new Map();
  }
  const value = parseJson(body.toString("utf8"));
  if (!(value instanceof Map)) {
    throw new AccountError("the request needs a JSON object");
  }
  return value as JsonMap;
}

function textOf(input: JsonMap, name: string): string {
  const value = input.get(name);
  if (typeof value !== "string") {
    throw new AccountError(`the request needs the text "${name}"`);
  }
  return value;
}

function roleOf(input: JsonMap): Role {
  const role = input.get("role");
  if (!isRole(role)) {
    throw new AccountError(`the role must be one of ${ROLES.join(", ")}`);
  }
  return role;
}
