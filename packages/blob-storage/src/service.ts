import { type IncomingMessage, type ServerResponse } from "node:http";
import { readConditions } from "./conditions/read-conditions.ts";
import { corsHeaders, noCors, preflightHeaders } from "./cors/cors-rules.ts";
import { chooseContentKey } from "./encryption/choose-content-key.ts";
import { ExtentCorruptionError } from "./errors/corruption-error.ts";
import { errorAnswer } from "./errors/render-error.ts";
import { invalidQuery, StorageError } from "./errors/storage-error.ts";
import { type Answer } from "./operations/answer.ts";
import { authenticate } from "./operations/authenticate.ts";
import { authorize, mayOverwrite } from "./operations/authorize.ts";
import { type Identified, identifyOperation } from "./operations/identify-operation.ts";
import { type OperationCall } from "./operations/operation.ts";
import { type Principal } from "./operations/principal.ts";
import { type Envelope, renderAnswer } from "./render-answer.ts";
import { defaultFamily } from "./request/header-family.ts";
import { takesSnapshot, takesVersion } from "./operations/operation-parameters.ts";
import { refuseUnsupportedHeaders } from "./operations/unsupported-headers.ts";
import { type Query } from "./request/query.ts";
import { readRequest } from "./request/read-request.ts";
import { RequestHeaders } from "./request/request-headers.ts";
import { newestVersion, oldestVersion, readServiceVersion, type ServiceVersion } from "./request/service-version.ts";
import { type Services } from "./services.ts";
import { type StorageRequest } from "./request/storage-request.ts";
import { type Authorization, parseAuthorization } from "./shared-key/authorization-header.ts";
import { answerWebsite } from "./website/answer-website.ts";
import { findWebsiteRequest } from "./website/website-request.ts";

/**
 * Serves requests of the blob service. The ladder, in the order that clients can see (storage §3.7):
 *
 * ```
 * header family → version → account and names → operation → authenticate → authorize → conditions → run → render
 * ```
 */
export class BlobService {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Serves one request to its end. Never throws: what goes wrong is answered, or the connection is cut. */
  async serve(message: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    // Filled in as the request is read: an error is answered with what is known by then.
    const envelope: Draft<Envelope> = {
      requestId,
      clientRequestId: undefined,
      family: defaultFamily,
      version: newestVersion,
      isHead: message.method === "HEAD",
      cors: noCors,
    };
    try {
      const headers = new RequestHeaders(message.rawHeaders);
      envelope.family = headers.family;
      envelope.clientRequestId = readClientRequestId(headers);
      const authorizationHeader = headers.find("authorization");
      const version = readVersion(headers, authorizationHeader, message.url);
      envelope.version = version;
      const authorization = authorizationHeader === undefined ? undefined : parseAuthorization(authorizationHeader);
      const site = findWebsiteRequest({ id: requestId, message, headers, version: newestVersion }, this.#services);
      const request = site ?? this.#read(message, requestId, headers, version, authorization);
      envelope.version = request.version;
      envelope.cors = corsHeaders(request.account.corsRules, request.method, headers);
      // What is there at once is answered at once: each wait costs a small read more than its authorization does.
      const answering = this.#answer(request, authorization, site !== undefined);
      const answer = answering instanceof Promise ? await answering : answering;
      const sending = renderAnswer(response, answer, envelope);
      if (sending !== undefined) {
        await sending;
      }
    } catch (error) {
      await this.#fail(error, message, response, envelope);
    }
  }

  #read(
    message: IncomingMessage,
    id: string,
    headers: RequestHeaders,
    version: ServiceVersion,
    authorization: Authorization | undefined,
  ): StorageRequest {
    const { accounts, hostSuffixes, clock } = this.#services;
    return readRequest({
      id,
      message,
      headers,
      version,
      authorization,
      accounts,
      hostSuffixes,
      nowMs: clock.now(),
    });
  }

  #answer(
    request: StorageRequest,
    authorization: Authorization | undefined,
    isWebsite: boolean,
  ): Answer | Promise<Answer> {
    const services = this.#services;
    // A browser asks before it signs, so nobody has to sign in for this.
    if (request.method === "OPTIONS") {
      return { status: 200, headers: preflightHeaders(request.account.corsRules, request.headers) };
    }
    if (isWebsite) {
      return answerWebsite(request, services);
    }
    const identified = identifyOperation(request);
    const principal = authenticate(request, authorization, services);
    return principal instanceof Promise
      ? principal.then((established) => this.#run(request, identified, established))
      : this.#run(request, identified, principal);
  }

  #run(request: StorageRequest, identified: Identified, principal: Principal): Answer | Promise<Answer> {
    const services = this.#services;
    const operation = identified.kind === "operation" ? identified.operation : undefined;
    authorize(principal, operation, request, services);
    if (identified.kind === "unknown") {
      throw identified.error;
    }
    if (request.query.has("snapshot") && !takesSnapshot.has(identified.operation.name)) {
      throw new StorageError("InvalidOperation", { detail: "the operation takes no snapshot" });
    }
    if (request.query.has("versionid") && !takesVersion.has(identified.operation.name)) {
      throw new StorageError("InvalidOperation", { detail: "the operation takes no version" });
    }
    refuseUnsupportedHeaders(request.headers, identified.operation.name);
    checkTimeout(request.query);
    const conditions = readConditions(request.headers, identified.operation.conditions, request.version);
    const call: OperationCall = {
      request,
      conditions,
      principal,
      contentKey: chooseContentKey(request, principal, identified.operation.name, services),
      mayOverwrite: mayOverwrite(principal, identified.operation),
      answerAnother: async (other, credentials) => this.#answer(other, credentials, false),
    };
    return identified.operation.run(call, services);
  }

  async #fail(error: unknown, message: IncomingMessage, response: ServerResponse, envelope: Envelope): Promise<void> {
    const { clock, logger } = this.#services;
    const refused = error instanceof StorageError ? error : new StorageError("InternalError", { cause: error });
    if (refused.status >= 500) {
      logger.error({ err: refused.cause ?? refused, detail: refused.detail, requestId: envelope.requestId }, "failed");
    }
    if (error instanceof ExtentCorruptionError) {
      await this.#markDamaged(error);
      response.destroy();
    }
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    leaveBody(message, response);
    response.statusMessage = refused.message.replace(/[^ -~]/gu, " ");
    await renderAnswer(response, errorAnswer(refused, envelope.requestId, clock.now(), envelope.isHead), envelope);
  }

  async #markDamaged({ extentId, detail }: ExtentCorruptionError): Promise<void> {
    const { logger, metadata } = this.#services;
    logger.error({ extentId, detail }, "stored bytes are damaged; the connection was cut before a bad one was sent");
    await metadata.write("markExtentDamaged", { extentId }).catch(() => undefined);
  }
}

/** Has no effect: transfers are cut off when they stand still, nothing else takes long (rulings, Objects 1). */
function checkTimeout(query: Query): void {
  const timeout = query.find("timeout");
  if (timeout !== undefined && !/^\d{1,9}$/u.test(timeout)) {
    throw invalidQuery("timeout", timeout, "not a number of seconds");
  }
}

type Draft<Record> = { -readonly [Field in keyof Record]: Record[Field] };

function readVersion(headers: RequestHeaders, authorization: string | undefined, url = ""): ServiceVersion {
  const header = headers.findOwn("version");
  const fallback = header !== undefined || authorization !== undefined ? oldestVersion : versionOfSas(url);
  return readServiceVersion(header, `${headers.family}version`, fallback);
}

/** Without a version header a shared access signature's version decides how the request is served (storage §2). */
function versionOfSas(url: string): ServiceVersion {
  const parameters = new URLSearchParams(url.split("?")[1] ?? "");
  const version = parameters.get("api-version") ?? parameters.get("sv") ?? newestVersion;
  return readServiceVersion(version, "api-version", newestVersion);
}

/** What of a refused upload may still be read to keep the connection; beyond it closing is cheaper for both sides. */
const DRAIN_BYTES = 1024 * 1024;

function leaveBody(message: IncomingMessage, response: ServerResponse): void {
  const length = Number(message.headers["content-length"] ?? 0);
  if (!message.complete && (length > DRAIN_BYTES || message.headers["transfer-encoding"] !== undefined)) {
    response.setHeader("Connection", "close");
  }
}

/** A client's own id for its request, given back so that it finds the pair (storage §6.1). */
function readClientRequestId(headers: RequestHeaders): string | undefined {
  const value = headers.findOwn("client-request-id");
  return value !== undefined && /^[ -~]{1,1024}$/u.test(value) ? value : undefined;
}
