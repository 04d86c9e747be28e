export { assert, AssertionError, must, unreachable } from "./assert.ts";
export { type Clock, ManualClock, systemClock } from "./clock.ts";
export {
  CorruptionError,
  type ErrorOptionsWithDetail,
  RequestError,
  RetryableError,
  StartError,
  type StartErrorCode,
} from "./errors.ts";
