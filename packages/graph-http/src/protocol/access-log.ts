import { type FastifyInstance } from "fastify";
import { type IncomingMessage, type ServerResponse } from "node:http";
import { type Account } from "../authentication/account-store.ts";

/** One line per answered request in the common log format (`graph.http.log.enabled`). */
export class AccessLog {
  readonly #write: (line: string) => void;
  readonly #now: () => number;

  constructor(write: (line: string) => void, now: () => number) {
    this.#write = write;
    this.#now = now;
  }

  /** Writes the line of every request of the application. */
  register(app: FastifyInstance): void {
    app.addHook("onResponse", (request, reply, done) => {
      const size = reply.getHeader("content-length") ?? reply.raw.getHeader("content-length");
      this.#log(request.raw, reply.raw.statusCode, size, request.graphAccount);
      done();
    });
  }

  /** Writes the line of this request once it is answered, or given up. */
  whenAnswered(request: IncomingMessage, response: ServerResponse, account: Account | undefined): void {
    response.once("close", () => {
      this.#log(request, response.statusCode, response.getHeader("content-length"), account);
    });
  }

  /** @param size  undefined for streamed answers */
  #log(
    request: IncomingMessage,
    status: number,
    size: number | string | readonly string[] | undefined,
    account: Account | undefined,
  ): void {
    const { remoteAddress = "-" } = request.socket;
    const line = `${request.method} ${request.url ?? ""} HTTP/${request.httpVersion}`;
    this.#write(
      `${remoteAddress} - ${userOf(account)} [${logDate(this.#now())}] "${escaped(line)}" ${status} ${String(size ?? "-")}\n`,
    );
  }
}

/** Names come from accounts, but also from tokens. */
function userOf(account: Account | undefined): string {
  return account === undefined ? "-" : escaped(account.name).replaceAll(" ", "%20");
}

/** Nothing that a client sends ends a field or a line. */
function escaped(text: string): string {
  return text.replace(
    /["\\\u0000-\u001f\u007f-\uffff]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** `20/Nov/2015:12:02:25 +0000` */
function logDate(timeMs: number): string {
  const [, day = "", month = "", year = "", time = ""] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(timeMs).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
