/** What every error of ours carries besides its message. */
export interface ErrorOptionsWithDetail {
  /** For the log only; may name what the caller must not learn. */
  readonly detail?: string;
  readonly cause?: unknown;
}

abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;
  readonly detail: string | undefined;

  constructor(code: Code, message: string, options: ErrorOptionsWithDetail = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = options.detail;
  }
}

/** The caller's fault: answered with `code` and `message` in the protocol's own shape, logged at info. */
export abstract class RequestError<Code extends string = string> extends CodedError<Code> {}

/** Nobody's fault (a conflict, a lock, an expiry): answered like a request error, with the hint that a retry can work. */
export abstract class RetryableError<Code extends string = string> extends CodedError<Code> {}

/** What is on disk cannot be what we wrote. Writing stops; reading goes on only where it is proven safe. */
export abstract class CorruptionError<Code extends string = string> extends CodedError<Code> {}

/** The server cannot start as it was told to (configuration, lock, port, store): printed at once, never retried. */
export class StartError extends CodedError<StartErrorCode> {
  override readonly name = "StartError";
}

export type StartErrorCode = "configuration" | "lock" | "port" | "store";
