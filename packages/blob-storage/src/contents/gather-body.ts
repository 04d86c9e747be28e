import { type IncomingMessage } from "node:http";
import { StorageError } from "../errors/storage-error.ts";

/**
 * A whole small body. By events: an iterator over the stream costs more than such a body does.
 *
 * @throws StorageError `InvalidInput` when it ends early or goes on beyond its length
 */
export function gatherBody(body: IncomingMessage, lengthBytes: number): Promise<Buffer> {
  if (body.destroyed) {
    return Promise.reject(cutOff());
  }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let received = 0;
    const settle = (outcome: () => void): void => {
      body.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      outcome();
    };
    const onData = (part: Buffer): void => {
      parts.push(part);
      received += part.length;
      if (received > lengthBytes) {
        settle(() => reject(wrongLength()));
      }
    };
    const onEnd = (): void => {
      const [only = Buffer.alloc(0)] = parts;
      const whole = parts.length > 1 ? Buffer.concat(parts, received) : only;
      settle(() => (received === lengthBytes ? resolve(whole) : reject(wrongLength())));
    };
    const onError = (cause: unknown): void => settle(() => reject(cutOff(cause)));
    const onClose = (): void => settle(() => reject(cutOff()));
    body.on("data", onData).once("end", onEnd).once("error", onError).once("close", onClose);
  });
}

/** What an upload gets that ends before its length; nobody may be there to read it. */
export function cutOff(cause?: unknown): StorageError {
  return new StorageError("InvalidInput", { detail: "the client went away during its upload", cause });
}

export function wrongLength(): StorageError {
  return new StorageError("InvalidInput", { detail: "the body is not as long as its Content-Length" });
}
