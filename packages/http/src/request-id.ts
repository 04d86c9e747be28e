import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const requestIdHeader = "x-request-id";

/** The caller's request id when it is short and harmless in a log and a header, else a new UUID. */
export function requestIdOf(request: Pick<IncomingMessage, "headers">): string {
  const given = request.headers[requestIdHeader];
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
