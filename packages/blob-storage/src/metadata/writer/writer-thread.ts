import { parentPort, workerData } from "node:worker_threads";
import { must } from "@trefoil/base";
import { MetadataConnection } from "../connection.ts";
import { BatchRunner } from "./batch.ts";
import { type FromWriter, type ToWriter } from "./thread-target.ts";

// Entry of the writer's thread: opens its own connection, then runs one batch after the other until told to close.
const port = must(parentPort, "this file runs in a worker thread");
const connection = new MetadataConnection(String(workerData));
const runner = new BatchRunner(connection);
const answer = (message: FromWriter): void => port.postMessage(message);

port.on("message", (message: ToWriter) => {
  if (message.kind === "run") {
    answer({ kind: "outcomes", outcomes: runner.run(message.batch) });
  } else {
    connection.close();
    port.close();
  }
});
answer({ kind: "ready" });
