import { type DirectRoute, type DirectService, readWholeBody } from "@trefoil/http";
import { type FastifyBaseLogger } from "fastify";
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { type AccessGate } from "../authentication/access-gate.ts";
import { type Account } from "../authentication/account-store.ts";
import { refusalAnswer } from "../authentication/refusal-answer.ts";
import { type AccessLog } from "../protocol/access-log.ts";
import { baseUrlOfMessage, CORS_HEADERS, errorsBody, JSON_TYPE } from "../protocol/exchange.ts";
import { mediaTypeRefusal } from "../protocol/media-type-guard.ts";
import { AnswerSink } from "./answer-sink.ts";
import { type StatementCall } from "./statement-call.ts";
import { commitAtOnce, type TransactionServices } from "./transactional-endpoint.ts";

export interface CommitServiceOptions extends TransactionServices {
  readonly gate: AccessGate;
  readonly maximumBodyBytes: number;
  readonly log: FastifyBaseLogger;
  readonly accessLog: AccessLog | undefined;
}

/**
 * `POST /db/data/transaction/commit` past the router and its hooks, which cost more than a small statement does
 * (docs/decisions/0141). What it answers is what the route would have answered.
 */
export class CommitService implements DirectService, DirectRoute {
  readonly template: string = COMMIT;
  readonly #options: CommitServiceOptions;

  constructor(options: CommitServiceOptions) {
    this.#options = options;
  }

  find({ method, url, headers }: IncomingMessage): DirectRoute | undefined {
    return method === "POST" && url === COMMIT && mediaTypeRefusal(headers) === undefined ? this : undefined;
  }

  async serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    try {
      await this.#serve(request, response, requestId);
    } catch (error) {
      this.#options.log.error({ err: error, requestId }, "a request failed unexpectedly");
      if (response.headersSent) {
        response.destroy();
      } else {
        response.writeHead(500, { "x-request-id": requestId }).end();
      }
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const { gate, statusCodePrefix, maximumBodyBytes, accessLog } = this.#options;
    const judged = gate.judge({ method: "POST", path: COMMIT, headers: request.headers });
    const verdict = judged instanceof Promise ? await judged : judged;
    const account = verdict.refusal === undefined ? verdict.account : undefined;
    if (accessLog !== undefined) {
      accessLog.whenAnswered(request, response, account);
      // Once a header is set, those of the head are kept too: the log wants to know the length.
      response.setHeader("x-request-id", requestId);
    }
    if (verdict.refusal !== undefined) {
      const { headers, body } = refusalAnswer(verdict.refusal, statusCodePrefix, baseUrlOfMessage(request));
      end(response, verdict.refusal.status, { "x-request-id": requestId, ...headers }, body);
      return;
    }
    const body = await readWholeBody(request, maximumBodyBytes);
    if (body === "gone") {
      return;
    }
    if (body === "too large") {
      const text = errorsBody(`${statusCodePrefix}.ClientError.Request.Invalid`, TOO_LARGE);
      end(response, 413, { "x-request-id": requestId, "content-type": JSON_TYPE, connection: "close" }, text);
      return;
    }
    await commitAtOnce(new DirectCall(request, response, body, account, requestId, this.#options.log), this.#options);
  }
}

const COMMIT = "/db/data/transaction/commit";
const TOO_LARGE = "The request body is larger than this server takes.";

/** A request with statements that no framework stands around. */
class DirectCall implements StatementCall {
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly account: Account | undefined;
  readonly log: FastifyBaseLogger;
  readonly #request: IncomingMessage;
  readonly #requestId: string;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    account: Account | undefined,
    requestId: string,
    log: FastifyBaseLogger,
  ) {
    this.#request = request;
    this.response = response;
    this.body = body;
    this.account = account;
    this.#requestId = requestId;
    this.log = log;
  }

  get headers(): IncomingMessage["headers"] {
    return this.#request.headers;
  }

  /** Worked out when an answer has addresses in it: most have none. */
  get baseUrl(): string {
    return baseUrlOfMessage(this.#request);
  }

  answer(status: number, headers: OutgoingHttpHeaders, body: string = ""): void {
    end(this.response, status, { "x-request-id": this.#requestId, ...CORS_HEADERS, ...headers }, body);
  }

  openSink(status: number, location?: string): AnswerSink {
    const headers = ["x-request-id", this.#requestId, ...CORS_LIST, "content-type", "application/json"];
    if (location !== undefined) {
      headers.push("location", location);
    }
    return new AnswerSink(this.response, status, headers);
  }
}

/** Names and values in turn. */
const CORS_LIST: readonly string[] = Object.entries(CORS_HEADERS).flat();

function end(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, body: string): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}
