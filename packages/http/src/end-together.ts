import { type ServerResponse } from "node:http";

interface Answer {
  readonly response: ServerResponse;
  readonly body: string | Uint8Array | undefined;
  readonly encoding: BufferEncoding;
}

let waiting: Answer[] = [];

/**
 * Ends an answer, whose head is written, together with all others of this turn of the event loop: the first of them
 * wakes the client's side, the others find it awake (docs/decisions/0190).
 */
export function endTogether(
  response: ServerResponse,
  body?: string | Uint8Array,
  encoding: BufferEncoding = "utf8",
): void {
  if (waiting.push({ response, body, encoding }) === 1) {
    setImmediate(endAll);
  }
}

function endAll(): void {
  const answers = waiting;
  waiting = [];
  for (const { response, body, encoding } of answers) {
    response.end(body, encoding);
  }
}
