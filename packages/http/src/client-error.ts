import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

export type ClientErrorStatus = 400 | 408 | 431;

/** The body a server answers with when a request could not even be read. */
export interface ClientErrorAnswer {
  readonly contentType: string;
  readonly body: string;
  /** The server's own, besides. */
  readonly headers?: Readonly<Record<string, string>>;
}

const statusByCode: Readonly<Record<string, ClientErrorStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is not a readable HTTP request, then closes the connection: nothing after it can be trusted. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  render: (status: ClientErrorStatus) => ClientErrorAnswer = renderText,
): void {
  if (error.code === "ECONNRESET" || !socket.writable || hasAnsweredInPart(socket)) {
    socket.destroy();
    return;
  }
  const status = statusByCode[error.code ?? ""] ?? 400;
  const { contentType, body, headers = {} } = render(status);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${new Date().toUTCString()}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Type: ${contentType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

/**
 * A second status line in the middle of an answer would be read as its content. Node names the answer of a connection in
 * this private member alone; noting it ourselves would be work for every request.
 */
function hasAnsweredInPart(socket: Duplex): boolean {
  const { _httpMessage: message } = socket as { _httpMessage?: { headersSent: boolean } | null };
  return message?.headersSent === true;
}

function renderText(status: ClientErrorStatus): ClientErrorAnswer {
  return { contentType: "text/plain; charset=utf-8", body: `${STATUS_CODES[status]}\n` };
}
