import { type IncomingMessage } from "node:http";
import { StorageError } from "../errors/storage-error.ts";

/** Takes the next part of a body. @returns what to wait for before the one after it, or nothing */
export type TakePart = (part: Uint8Array) => Promise<void> | undefined;

/**
 * Gives all parts of a body to `take`, while it is ready for them; the connection is not read meanwhile. By events: an
 * iterator over the stream costs more than a small body does, and for a large one as much as its checksums.
 *
 * @throws StorageError `InvalidInput` when the body ends early; and what `take` throws, the rest of the body unread then
 */
export function takeParts(body: IncomingMessage, take: TakePart): Promise<void> {
  if (body.destroyed) {
    return Promise.reject(cutOff());
  }
  return new Promise((resolve, reject) => {
    let taking: Promise<void> | undefined;
    const settle = (outcome: () => void): void => {
      body.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      if (taking === undefined) {
        outcome();
      } else {
        // Whoever hears of the end finds nothing at work any more.
        taking.then(outcome, outcome);
      }
    };
    const onData = (part: Buffer): void => {
      try {
        taking = take(part);
      } catch (error) {
        settle(() => reject(error));
        return;
      }
      if (taking !== undefined) {
        body.pause();
        taking.then(
          () => {
            taking = undefined;
            body.resume();
          },
          (error: unknown) => settle(() => reject(error)),
        );
      }
    };
    const onEnd = (): void => settle(resolve);
    const onError = (cause: unknown): void => settle(() => reject(cutOff(cause)));
    const onClose = (): void => settle(() => reject(cutOff()));
    body.on("data", onData).once("end", onEnd).once("error", onError).once("close", onClose);
  });
}

/** What an upload gets that ends before its length; nobody may be there to read it. */
export function cutOff(cause?: unknown): StorageError {
  return new StorageError("InvalidInput", { detail: "the client went away during its upload", cause });
}
