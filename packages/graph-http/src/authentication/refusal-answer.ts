import { type OutgoingHttpHeaders } from "node:http";
import { errorsBody, JSON_TYPE } from "../protocol/exchange.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { type Refusal } from "./authenticator.ts";

/** A refusal as an answer: its headers and its body. */
export function refusalAnswer(
  { code, message, withChallenge, passwordChangeOf }: Refusal,
  prefix: StatusCodePrefix,
  baseUrl: string,
): { readonly headers: OutgoingHttpHeaders; readonly body: string } {
  const more: Record<string, string> =
    passwordChangeOf === undefined
      ? {}
      : { password_change: `${baseUrl}/user/${encodeURIComponent(passwordChangeOf)}/password` };
  return {
    headers: { "content-type": JSON_TYPE, ...(withChallenge ? { "www-authenticate": "None" } : {}) },
    body: errorsBody(`${prefix}.${code}`, message, more),
  };
}
