import { endTogether } from "@trefoil/http";
import { type ServerResponse } from "node:http";
import { noCors } from "./cors/cors-rules.ts";
import { type Answer, type AnswerHeaders } from "./operations/answer.ts";
import { linesOf } from "./operations/recurring-headers.ts";
import { type HeaderFamily } from "./request/header-family.ts";
import { remembered } from "./request/remembered.ts";
import { type ServiceVersion } from "./request/service-version.ts";

/** What of the request shapes its answer, whatever came of it. */
export interface Envelope {
  readonly requestId: string;
  readonly clientRequestId: string | undefined;
  readonly family: HeaderFamily;
  readonly version: ServiceVersion;
  readonly isHead: boolean;
  /** What a page of another origin may do with the answer. */
  readonly cors: AnswerHeaders;
}

/**
 * Writes an answer in the header family of its request (storage §0.1).
 *
 * @returns for an answer in parts, what resolves when all of it was handed to the system, or the client has gone; it
 *          rejects with what reading the content throws, after the connection was cut: a length was promised that can't
 *          be kept
 */
export function renderAnswer(response: ServerResponse, answer: Answer, envelope: Envelope): Promise<void> | undefined {
  const { body } = answer;
  // All headers in one call: one at a time they cost more than the rest of a small answer.
  const headers = headerLines(answer, envelope);
  const finish = (bytes: Uint8Array | undefined): void => {
    response.writeHead(answer.status, headers);
    endTogether(response, envelope.isHead ? undefined : bytes);
  };
  switch (body?.kind) {
    case undefined:
      if (!isBodyless(answer, envelope)) {
        headers.push("Content-Length", "0");
      }
      finish(undefined);
      break;
    case "xml": {
      const bytes = Buffer.from(body.text, "utf8");
      headers.push("Content-Type", "application/xml", "Content-Length", String(bytes.length));
      finish(bytes);
      break;
    }
    case "bytes":
      headers.push("Content-Length", String(body.bytes.length));
      finish(body.bytes);
      break;
    case "content":
      if (body.length !== undefined) {
        headers.push("Content-Length", String(body.length));
      }
      response.writeHead(answer.status, headers);
      return sendParts(response, body.parts, body.release);
  }
  return undefined;
}

/**
 * All headers of an answer but those of its body, with the names and the bytes that go out: name, value, name, value …
 */
export function headerLines({ headers }: Answer, envelope: Envelope): string[] {
  const nameOf = names[envelope.family];
  const lines = ["Server", "Trefoil-Objects", nameOf("~request-id"), envelope.requestId];
  if (envelope.clientRequestId !== undefined) {
    lines.push(nameOf("~client-request-id"), envelope.clientRequestId);
  }
  lines.push(nameOf("~version"), envelope.version);
  // What an answer says by itself, as a preflight's does, is not said twice.
  const all = envelope.cors === noCors ? headers : { ...envelope.cors, ...headers };
  return lines.concat(linesOf(all, envelope.family, makeLines));
}

function makeLines(headers: AnswerHeaders, family: HeaderFamily): readonly string[] {
  const lines: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) {
      lines.push(names[family](name), headerBytes(value));
    }
  }
  return lines;
}

const nameIn = (family: HeaderFamily): ((name: string) => string) =>
  remembered(256, (name) => (name.startsWith("~") ? family + name.slice(1) : name));

const names: Readonly<Record<HeaderFamily, (name: string) => string>> = {
  "x-ms-": nameIn("x-ms-"),
  "x-store-": nameIn("x-store-"),
};

/** Stored values go out as the bytes they came in; a line break in one would begin another header. */
function headerBytes(value: string): string {
  if (!/[^\t -~\u0080-\u00ff]/u.test(value)) {
    return value;
  }
  const bytes = /[\u0100-\uffff]/u.test(value) ? Buffer.from(value, "utf8").toString("latin1") : value;
  return bytes.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/gu, " ");
}

/** Whether the answer has no body by its kind, so that its length would be told of something else. */
function isBodyless({ status }: Answer, { isHead }: Envelope): boolean {
  return status === 204 || status === 304 || isHead;
}

/** Sends parts one after the other; the next is asked for when the last has left, so memory stays bounded. */
async function sendParts(
  response: ServerResponse,
  parts: AsyncIterable<Uint8Array>,
  release: () => void,
): Promise<void> {
  try {
    for await (const part of parts) {
      if (response.destroyed || !(await send(response, part))) {
        return;
      }
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    release();
  }
}

/** @returns false when the client has gone */
function send(response: ServerResponse, part: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const gone = (): void => resolve(false);
    response.once("close", gone);
    response.write(part, (error) => {
      response.off("close", gone);
      resolve(error === null || error === undefined);
    });
  });
}
