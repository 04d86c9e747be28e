import { MetadataConnection } from "../connection.ts";
import { BatchRunner } from "./batch.ts";
import { type BatchTarget } from "./writer.ts";

/** Runs batches in this thread: for tests, and where a thread is not worth it. */
export function openInProcessTarget(file: string): BatchTarget {
  const connection = new MetadataConnection(file);
  const runner = new BatchRunner(connection);
  return {
    run: (batch) => Promise.resolve(runner.run(batch)),
    close: () => Promise.resolve(connection.close()),
  };
}
