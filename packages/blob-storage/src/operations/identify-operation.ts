import { invalidHeader, invalidQuery, StorageError } from "../errors/storage-error.ts";
import { type Address } from "../request/address.ts";
import { type Query } from "../request/query.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Operation, type Scope } from "./operation.ts";
import { operationTable } from "./operation-table.ts";
import { refusalOfOtherService } from "./other-services.ts";

export interface OperationInput {
  readonly method: string;
  readonly address: Address;
  readonly query: Query;
  readonly headers: RequestHeaders;
}

/** The operation a request asks for, or what is wrong with it: told only to callers who have signed in. */
export type Identified =
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "unknown"; readonly error: StorageError };

export function identifyOperation(input: OperationInput): Identified {
  const other = refusalOfOtherService(input.headers, input.query);
  if (other !== undefined) {
    return { kind: "unknown", error: other };
  }
  const atAddress = operationsAt(input);
  const hasMethod = ({ methods }: Operation): boolean => methods.some((method) => method === input.method);
  const operation = atAddress.find(
    (each) => hasMethod(each) && hasHeader(each.header, input.headers) && hasHeader(each.second, input.headers),
  );
  if (operation !== undefined) {
    return { kind: "operation", operation };
  }
  return { kind: "unknown", error: refusal(input, atAddress, atAddress.filter(hasMethod)) };
}

/** The operations of an address, in the order of the table. */
function operationsAt({ address, query }: OperationInput): readonly Operation[] {
  byAddress ??= groupByAddress();
  return byAddress.get(addressKey(scopeOf(address), query.find("restype"), query.find("comp"))) ?? [];
}

/** Made at the first request: the table's operations import this file. */
let byAddress: ReadonlyMap<string, readonly Operation[]> | undefined;

function groupByAddress(): ReadonlyMap<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operationTable) {
    const key = addressKey(operation.scope, operation.restype, operation.comp);
    groups.set(key, [...(groups.get(key) ?? []), operation]);
  }
  return groups;
}

/** Of most requests the scope alone: then nothing is put together. */
function addressKey(scope: Scope, restype = "", comp = ""): string {
  return restype === "" && comp === "" ? scope : `${scope} ${restype.toLowerCase()} ${comp.toLowerCase()}`;
}

function scopeOf({ container, blob }: Address): Scope {
  if (blob !== undefined) {
    return "blob";
  }
  return container === undefined ? "service" : "container";
}

function hasHeader(needed: readonly [string, string?] | undefined, headers: RequestHeaders): boolean {
  if (needed === undefined) {
    return true;
  }
  const [name, value] = needed;
  const found = headers.findOwn(name);
  return found !== undefined && (value === undefined || found.toLowerCase() === value.toLowerCase());
}

function refusal(
  { headers, query }: OperationInput,
  atAddress: readonly Operation[],
  withMethod: readonly Operation[],
): StorageError {
  const byHeader = withMethod.at(-1)?.header;
  if (byHeader !== undefined) {
    const name = headers.family + byHeader[0];
    const value = headers.findOwn(byHeader[0]);
    return value === undefined
      ? new StorageError("MissingRequiredHeader", { elements: { HeaderName: name } })
      : invalidHeader(name, value);
  }
  if (atAddress.length > 0) {
    const methods = new Set(atAddress.flatMap((operation) => operation.methods));
    return new StorageError("UnsupportedHttpVerb", { headers: { Allow: [...methods].join(", ") } });
  }
  return invalidQuery(...unknownParameter(query));
}

/** The parameter that no operation at this address has. */
function unknownParameter(query: Query): [name: string, value: string, reason: string] {
  const name = query.has("comp") ? "comp" : "restype";
  return [name, query.find(name) ?? "", "no operation of this resource has this value"];
}
