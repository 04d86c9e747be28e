import { type CompiledRun } from "./compiled-run.ts";

/** `run` when `ready` has come: the driver waits for it, no longer than the statement is wanted. */
export function runAfter(ready: Promise<void>, run: CompiledRun): CompiledRun {
  return function* (statement) {
    yield ready;
    yield* run(statement);
  };
}
