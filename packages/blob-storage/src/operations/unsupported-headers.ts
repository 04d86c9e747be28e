import { customerKeyHeaders, sourceKeyHeaders } from "../encryption/read-customer-key.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { takesCustomerKey, takesEncryptionScope, takesSourceKey, takesStructuredBody } from "./operation-parameters.ts";

/** Own headers, without prefix. */
const SCOPE = ["encryption-scope"] as const;
const CONTAINER_SCOPE = ["default-encryption-scope", "deny-encryption-scope-override"] as const;
const STRUCTURED = ["structured-body"] as const;

/**
 * Refuses a request that asks for what it would not get. Passed over, a key of the client's own would leave its blob
 * stored in the clear, and a framed body would be stored with its frames.
 *
 * @throws StorageError `UnsupportedHeader`
 */
export function refuseUnsupportedHeaders(headers: RequestHeaders, operation: string): void {
  if (!takesEncryptionScope.has(operation)) {
    refuse(headers, SCOPE);
  }
  if (operation !== "container.create") {
    refuse(headers, CONTAINER_SCOPE);
  }
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
