import { customerKeyHeaders, sourceKeyHeaders } from "../encryption/read-customer-key.ts";
import { StorageError } from "../errors/storage-error.ts";
import { remembered } from "../request/remembered.ts";
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
  const found = namesRefusedBy(operation).find((name) => headers.findOwn(name) !== undefined);
  if (found !== undefined) {
    throw new StorageError("UnsupportedHeader", { elements: { HeaderName: headers.family + found } });
  }
}

const namesRefusedBy = remembered(256, (operation): readonly string[] => [
  ...(takesEncryptionScope.has(operation) ? [] : SCOPE),
  ...(operation === "container.create" ? [] : CONTAINER_SCOPE),
  ...(takesCustomerKey.has(operation) ? [] : customerKeyHeaders),
  ...(takesStructuredBody.has(operation) ? [] : STRUCTURED),
  ...(takesSourceKey.has(operation) ? [] : sourceKeyHeaders),
]);
