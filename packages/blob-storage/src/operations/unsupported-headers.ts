import { customerKeyHeaders, sourceKeyHeaders } from "../customer-keys/read-customer-key.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { takesCustomerKey, takesSourceKey, takesStructuredBody } from "./operation-parameters.ts";

/** Own headers, without prefix, that name what cannot be made here; see docs/compatibility.md. */
const SCOPES = ["encryption-scope", "default-encryption-scope"] as const;

const STRUCTURED = ["structured-body"] as const;

/**
 * Refuses a request that asks for what it would not get. Passed over, a key of the client's own would leave its blob
 * stored in the clear, and a framed body would be stored with its frames.
 *
 * @throws StorageError `UnsupportedHeader`
 */
export function refuseUnsupportedHeaders(headers: RequestHeaders, operation: string): void {
  refuse(headers, SCOPES, "The specified encryption scope does not exist: there are none here.");
  if (!takesCustomerKey.has(operation)) {
    refuse(headers, customerKeyHeaders);
  }
  if (!takesStructuredBody.has(operation)) {
    refuse(headers, STRUCTURED);
  }
  if (!takesSourceKey.has(operation)) {
    refuse(headers, sourceKeyHeaders);
  }
}

function refuse(headers: RequestHeaders, names: readonly string[], message?: string): void {
  const found = names.find((name) => headers.findOwn(name) !== undefined);
  if (found !== undefined) {
    throw new StorageError("UnsupportedHeader", { message, elements: { HeaderName: headers.family + found } });
  }
}
