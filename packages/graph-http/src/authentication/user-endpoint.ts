import { type StatusCode } from "@trefoil/cypher";
import { JsonError } from "../json/json-error.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { answer, answerNotFound, errorsBody, type Exchange, JSON_TYPE } from "../protocol/exchange.ts";
import { type Route } from "../protocol/routes.ts";
import { answerRepresentation } from "../rest/answer-representation.ts";
import { PlainError, RestError } from "../rest/rest-error.ts";
import { castMessage, isDeclaredJson, isMap, readInput, unsupportedFormat } from "../rest/rest-input.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { type Account, type AccountStore } from "./account-store.ts";

export interface UserServices {
  /** Undefined: authentication is off, and nobody is anybody (clients find that out by the 404). */
  readonly accounts: AccountStore | undefined;
  readonly statusCodePrefix: StatusCodePrefix;
}

/** `/user/<name>`: who one is, and the change of one's password (graph §4.6, graph-http §3). */
export function userRoutes(services: UserServices): readonly Route[] {
  return [
    { method: "OPTIONS", path: "/user", handle: () => undefined },
    { method: "GET", path: "/user/:name", handle: showUser },
    { method: "POST", path: "/user/:name/password", handle: (exchange) => changePassword(exchange, services) },
  ];
}

function showUser(exchange: Exchange): void {
  const account = ownAccount(exchange);
  if (account === undefined) {
    answerNotFound(exchange.reply);
    return;
  }
  const value = new Map<string, JsonValue>([
    ["password_change_required", account.passwordChangeRequired],
    ["password_change", `${exchange.baseUrl}/user/${encodeURIComponent(account.name)}/password`],
    ["username", account.name],
  ]);
  answerRepresentation(exchange, { type: "authorization", shape: "map", value });
}

async function changePassword(exchange: Exchange, { accounts, statusCodePrefix }: UserServices): Promise<void> {
  const account = ownAccount(exchange);
  if (account === undefined || accounts === undefined) {
    answerNotFound(exchange.reply);
    return;
  }
  let password: string | PasswordRefusal;
  try {
    password = readPassword(exchange);
  } catch (error) {
    if (!(error instanceof PlainError)) {
      throw error;
    }
    answer(exchange, error.status, { "content-type": error.contentType }, error.message);
    return;
  }
  const refusal = typeof password === "string" ? await judgePassword(password, account.name, accounts) : password;
  if (refusal !== undefined) {
    const body = errorsBody(`${statusCodePrefix}.${refusal.code}`, refusal.message);
    answer(exchange, refusal.status, { "content-type": JSON_TYPE }, body);
    return;
  }
  if (typeof password === "string") {
    await accounts.changePassword(account.name, password);
    answer(exchange, 200, {});
  }
}

interface PasswordRefusal {
  readonly status: 400 | 422;
  readonly code: StatusCode;
  readonly message: string;
}

/** @throws PlainError 415 for what is no object and was not declared to be JSON */
function readPassword({ request: { headers }, body }: Exchange): string | PasswordRefusal {
  let input: JsonValue;
  try {
    input = readInput({ headers, body }, new Map());
  } catch (error) {
    if (error instanceof RestError || error instanceof JsonError) {
      return { status: 400, code: "ClientError.Request.InvalidFormat", message: error.message };
    }
    throw error;
  }
  if (!isMap(input)) {
    if (!isDeclaredJson({ headers })) {
      throw unsupportedFormat({ headers });
    }
    const message = castMessage(input, "java.util.Map");
    return { status: 400, code: "ClientError.Request.InvalidFormat", message };
  }
  const password = input.get("password");
  if (password === undefined || password === null) {
    const message = "Required parameter 'password' is missing.";
    return { status: 422, code: "ClientError.Request.InvalidFormat", message };
  }
  if (typeof password !== "string") {
    const message = "Expected 'password' to be a string.";
    return { status: 422, code: "ClientError.Request.InvalidFormat", message };
  }
  return password;
}

async function judgePassword(
  password: string,
  name: string,
  accounts: AccountStore,
): Promise<PasswordRefusal | undefined> {
  if (password === "") {
    return { status: 422, code: "ClientError.Request.Invalid", message: "Password cannot be empty." };
  }
  if (await accounts.isPassword(name, password)) {
    const message = "Old password and new password cannot be the same.";
    return { status: 422, code: "ClientError.Request.Invalid", message };
  }
  return undefined;
}

/** The account of the request when the path names it; nobody learns about others. */
function ownAccount(exchange: Exchange): Account | undefined {
  const account = exchange.request.graphAccount;
  return account?.isForeign !== true && account?.name === exchange.parameters["name"] ? account : undefined;
}
