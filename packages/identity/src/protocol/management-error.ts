import { type ErrorOptionsWithDetail, RequestError } from "@trefoil/base";

/** Codes of the management interface and their HTTP status. */
const statuses = {
  Request_BadRequest: 400,
  Request_UnsupportedQuery: 400,
  InvalidAuthenticationToken: 401,
  Authorization_RequestDenied: 403,
  Request_ResourceNotFound: 404,
  Request_MethodNotAllowed: 405,
  Request_Conflict: 409,
  Request_EntityTooLarge: 413,
  InternalServerError: 500,
} as const;

export type ManagementErrorCode = keyof typeof statuses;

/** A refusal by the management interface, rendered as `{"error":{"code","message"}}`. */
export class ManagementError extends RequestError<ManagementErrorCode> {
  override readonly name = "ManagementError";

  constructor(code: ManagementErrorCode, message: string, options: ErrorOptionsWithDetail = {}) {
    super(code, message, options);
  }

  get status(): number {
    return statuses[this.code];
  }
}
