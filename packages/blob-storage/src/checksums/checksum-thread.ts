import { parentPort } from "node:worker_threads";
import { PassingChecksums } from "./passing-checksums.ts";
import type { Body, FromChecksumThread, ToChecksumThread } from "./thread-checksums.ts";

// Entry of the thread for checksums: bodies at once, each with the state of its own.
const running = new Map<number, { readonly checksums: PassingChecksums; missingBytes: number }>();

parentPort?.on("message", ({ body, ...message }: ToChecksumThread) => {
  if (message.kind === "bytes") {
    parentPort?.postMessage(take(body, message.bytes));
  } else {
    running.delete(body.id);
  }
});

function take({ id, wanted, lengthBytes }: Body, bytes: Uint8Array): FromChecksumThread {
  const state = running.get(id) ?? { checksums: new PassingChecksums(wanted), missingBytes: lengthBytes };
  state.checksums.update(bytes);
  state.missingBytes -= bytes.length;
  if (state.missingBytes > 0) {
    running.set(id, state);
    return undefined;
  }
  running.delete(id);
  return state.checksums.finish();
}
