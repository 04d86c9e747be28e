import { type ErrorOptionsWithDetail, RequestError } from "@trefoil/base";
import { headerText } from "../request/header-text.ts";
import { errorTable, type StorageErrorCode } from "./error-table.ts";

/** Elements that follow `Code` and `Message` in the body, in order: `AuthenticationErrorDetail`, `HeaderName` … */
export type ErrorElements = Readonly<Record<string, string>>;

export interface StorageErrorOptions extends ErrorOptionsWithDetail {
  /** In place of the table's message, where the service says more of what is wrong. */
  readonly message?: string | undefined;
  /** In place of the table's status, where one code answers with two (304 for a read, 412 for a write). */
  readonly status?: number;
  readonly elements?: ErrorElements;
  /** Headers of the answer; a leading `~` stands for the request's header family. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What ends a request with an error of the blob service: one code of the table (storage §6). */
export class StorageError extends RequestError<StorageErrorCode> {
  override readonly name = "StorageError";
  readonly status: number;
  readonly elements: ErrorElements;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: StorageErrorCode, options: StorageErrorOptions = {}) {
    const [status, message] = errorTable[code];
    super(code, options.message ?? message, options);
    this.status = options.status ?? status;
    this.elements = options.elements ?? {};
    this.headers = options.headers ?? {};
  }
}

/** A header whose value cannot be taken; `name` as the client wrote it or would write it. */
export function invalidHeader(name: string, value: string, message?: string): StorageError {
  return new StorageError("InvalidHeaderValue", {
    message,
    elements: { HeaderName: name, HeaderValue: headerText(value) },
  });
}

/** A query parameter whose value cannot be taken; `message` in place of the table's. */
export function invalidQuery(name: string, value: string, reason: string, message?: string): StorageError {
  return new StorageError("InvalidQueryParameterValue", {
    message,
    elements: { QueryParameterName: name, QueryParameterValue: value, Reason: reason },
  });
}

/** The request is not from who it says it is; `detail` tells the caller which check failed (storage §6.2). */
export function authenticationFailed(detail: string): StorageError {
  return new StorageError("AuthenticationFailed", { elements: { AuthenticationErrorDetail: detail } });
}
