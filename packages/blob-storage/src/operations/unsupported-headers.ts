import { customerKeyHeaders, sourceKeyHeaders } from "../customer-keys/read-customer-key.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { takesCustomerKey, takesSourceKey, takesStructuredBody } from "./operation-parameters.ts";

/** Own headers, without prefix, that ask for something this server doesn't do; see docs/compatibility.md. */
const UNSUPPORTED = ["encryption-scope", "default-encryption-scope"] as const;

const STRUCTURED = ["structured-body"] as const;

/**
 * Refuses a request that asks for what it would not get. Passed over, a key of the client's own would leave its blob
 * stored in the clear, and a framed body would be stored with its frames.
 *
 * @throws StorageError `UnsupportedHeader`
 */
export function refuseUnsupportedHeaders(headers: RequestHeaders, operation: string): void {
  refuse(headers, UNSUPPORTED);
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

function refuse(headers: RequestHeaders, names: readonly string[]): void {
  const found = names.find((name) => headers.findOwn(name) !== undefined);
  if (found !== undefined) {
    throw new StorageError("UnsupportedHeader", { elements: { HeaderName: headers.family + found } });
  }
}
