import { type IncomingMessage } from "node:http";
import { StorageError } from "../errors/storage-error.ts";
import { takeParts } from "./take-parts.ts";

/**
 * A whole small body.
 *
 * @throws StorageError `InvalidInput` when it ends early or goes on beyond its length
 */
export async function gatherBody(body: IncomingMessage, lengthBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let received = 0;
  await takeParts(body, (part) => {
    parts.push(part);
    received += part.length;
    checkLength(received <= lengthBytes);
    return undefined;
  });
  checkLength(received === lengthBytes);
  return Buffer.concat(parts, received);
}

/** @throws StorageError `InvalidInput` for a body whose length is not the one it was announced with */
export function checkLength(holds: boolean): void {
  if (!holds) {
    throw new StorageError("InvalidInput", { detail: "the body is not as long as its Content-Length" });
  }
}
