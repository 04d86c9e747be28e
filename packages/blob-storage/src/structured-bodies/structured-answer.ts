import { type Answer } from "../operations/answer.ts";
import { messageBytes, STRUCTURED_BODY, writeMessage } from "./structured-message.ts";

/** The answer of a download with its bytes as a structured message. */
export function structuredAnswer({ status, headers, body }: Answer): Answer {
  if (body === undefined || body.kind === "xml" || (body.kind === "content" && body.length === undefined)) {
    return { status, headers, body };
  }
  const contentBytes = body.kind === "bytes" ? body.bytes.length : (body.length ?? 0);
  const parts = body.kind === "bytes" ? [body.bytes] : body.parts;
  return {
    status,
    headers: { ...headers, "~structured-body": STRUCTURED_BODY, "~structured-content-length": String(contentBytes) },
    body: {
      kind: "content",
      length: messageBytes(contentBytes),
      parts: writeMessage(parts, contentBytes),
      release: body.kind === "bytes" ? () => undefined : body.release,
    },
  };
}
