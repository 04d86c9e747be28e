import { noCors } from "../cors/cors-rules.ts";
import { randomUUID } from "node:crypto";
import { errorAnswer } from "../errors/render-error.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type Envelope } from "../render-answer.ts";
import { defaultFamily } from "../request/header-family.ts";
import { readRequest } from "../request/read-request.ts";
import { RequestHeaders } from "../request/request-headers.ts";
import { readServiceVersion } from "../request/service-version.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { parseAuthorization } from "../shared-key/authorization-header.ts";
import { type BatchPart } from "./read-batch.ts";

export interface AnsweredPart {
  /** `Content-ID` of what was asked, so that the client finds the pair. */
  readonly contentId: string | undefined;
  readonly answer: Answer;
  readonly envelope: Envelope;
}

/**
 * Answers a request inside a batch as if it had come alone: with its own credentials, judged on its own (storage
 * §4.3). What it doesn't say itself, its version and its host, is that of the batch.
 *
 * @returns an answer whatever happens: one part's failure is no failure of the batch
 */
export async function answerPart(part: BatchPart, batch: OperationCall, services: Services): Promise<AnsweredPart> {
  const { request: outer } = batch;
  const { contentId } = part;
  let envelope = envelopeWithin(outer);
  try {
    const headers = new RequestHeaders(withHost(part.rawHeaders, outer.headers.find("host")));
    const family = headers.own.length === 0 ? outer.headers.family : headers.family;
    envelope = { ...envelope, family, clientRequestId: headers.findOwn("client-request-id") };
    const authorizationHeader = headers.find("authorization");
    const authorization = authorizationHeader === undefined ? undefined : parseAuthorization(authorizationHeader);
    const { accounts, hostSuffixes } = services;
    const request = readRequest({
      id: envelope.requestId,
      message: outer.body,
      line: { method: part.method, url: part.target },
      headers,
      version: readServiceVersion(headers.findOwn("version"), `${defaultFamily}version`, outer.version),
      authorization,
      accounts,
      hostSuffixes,
      nowMs: outer.nowMs,
    });
    const { account, container } = { account: outer.account, container: outer.address.container };
    if (request.account !== account || (container !== undefined && request.address.container !== container)) {
      throw new StorageError("InvalidInput", { detail: "the part is outside of what the batch was sent to" });
    }
    envelope = { ...envelope, version: request.version };
    return { contentId, answer: await batch.answerAnother(request, authorization), envelope };
  } catch (error) {
    const refused = error instanceof StorageError ? error : new StorageError("InternalError", { cause: error });
    if (refused.status >= 500) {
      services.logger.error(
        { err: refused.cause ?? refused, requestId: envelope.requestId },
        "a part of a batch failed",
      );
    }
    return { contentId, answer: errorAnswer(refused, envelope.requestId, outer.nowMs, false), envelope };
  }
}

/**
 * What a batch that can't be taken apart is answered with: one refused part that belongs to no request, for clients
 * look for what went wrong among the parts (storage §16, decisions/0166).
 */
export function refuseBatch(error: StorageError, { request }: OperationCall): AnsweredPart {
  const envelope = envelopeWithin(request);
  const answer = errorAnswer(error, envelope.requestId, request.nowMs, false);
  return { contentId: undefined, answer, envelope };
}

/** A part's answer has an id of its own, and says of itself what the batch said unless it knows better. */
function envelopeWithin({ headers, version }: StorageRequest): Envelope {
  return {
    requestId: randomUUID(),
    clientRequestId: undefined,
    family: headers.family,
    version,
    isHead: false,
    cors: noCors,
  };
}

function withHost(rawHeaders: readonly string[], host: string | undefined): readonly string[] {
  const has = rawHeaders.some((text, index) => index % 2 === 0 && text.toLowerCase() === "host");
  return has || host === undefined ? rawHeaders : [...rawHeaders, "Host", host];
}
