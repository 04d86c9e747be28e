import { authenticationFailed, StorageError } from "../errors/storage-error.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type AccountKey } from "../shared-key/account-key.ts";
import { checkTerms, type SasGrant, type SasTerms } from "./sas-grant.ts";
import { malformed, type SasParameters } from "./sas-parameters.ts";
import { accountStringToSign, serviceStringToSign, type SignedResource } from "./string-to-sign.ts";

/** A stored access policy of a container, as it was set. */
export interface StoredPolicy {
  readonly id: string;
  readonly start: string;
  readonly expiry: string;
  readonly permissions: string;
}

/**
 * Verifies an account or service signature.
 *
 * @param findPolicy  the stored access policy of an id in the request's container
 * @throws StorageError as storage §4.2 lists them
 */
export function verifySas(
  sas: SasParameters,
  request: StorageRequest,
  findPolicy: (id: string) => StoredPolicy | undefined,
): SasGrant {
  return sas.kind === "account" ? verifyAccountSas(sas, request) : verifyServiceSas(sas, request, findPolicy);
}

function verifyAccountSas(sas: SasParameters, request: StorageRequest): SasGrant {
  const { account } = request;
  if (sas.version < "2015-04-05" || !/^[bqtf]+$/u.test(sas.value("ss")) || !/^[sco]+$/u.test(sas.value("srt"))) {
    throw malformed();
  }
  checkSignature(sas, accountStringToSign(sas, account.name), account.keys);
  checkTerms(sas, termsOf(sas), request);
  if (!sas.value("ss").includes("b")) {
    throw new StorageError("AuthorizationServiceMismatch");
  }
  return { kind: "account", permissions: sas.value("sp"), resourceTypes: sas.value("srt"), overContainer: false };
}

function verifyServiceSas(
  sas: SasParameters,
  request: StorageRequest,
  findPolicy: (id: string) => StoredPolicy | undefined,
): SasGrant {
  const resource = signedResource(sas, request);
  checkSignature(sas, serviceStringToSign(sas, resource), request.account.keys);
  const terms = withPolicy(sas, findPolicy);
  checkTerms(sas, terms, request);
  const overContainer = sas.value("sr") === "c" || sas.value("sr") === "d";
  return { kind: "service", permissions: terms.permissions, resourceTypes: "", overContainer };
}

/**
 * What the request's address has to have been signed as. A signature over a container or a directory is good for all
 * that lies in it.
 *
 * @throws StorageError `AuthenticationFailed` when the signature is over another kind of thing
 */
export function signedResource(sas: SasParameters, { account, address, query }: StorageRequest): SignedResource {
  const { container, blob } = address;
  if (container === undefined) {
    throw malformed();
  }
  const base = { account: account.name, container };
  switch (sas.value("sr")) {
    case "c":
      return base;
    case "b":
      return { ...base, blob: blobOf(blob) };
    case "bs":
      return { ...base, blob: blobOf(query.has("snapshot") ? blob : undefined) };
    case "bv":
      return { ...base, blob: blobOf(query.has("versionid") ? blob : undefined) };
    case "d":
      return { ...base, blob: directoryOf(blobOf(blob), Number(sas.value("sdd"))) };
    default:
      throw malformed();
  }
}

function blobOf(blob: string | undefined): string {
  if (blob === undefined) {
    throw malformed();
  }
  return blob;
}

function directoryOf(blob: string, depth: number): string {
  const segments = blob.split("/");
  if (!Number.isInteger(depth) || depth < 1 || depth > segments.length) {
    throw malformed();
  }
  return segments.slice(0, depth).join("/");
}

function termsOf(sas: SasParameters): SasTerms {
  return { start: sas.value("st"), expiry: sas.value("se"), permissions: sas.value("sp") };
}

/** A stored policy gives what the URL leaves out; what both say is a contradiction. */
function withPolicy(sas: SasParameters, findPolicy: (id: string) => StoredPolicy | undefined): SasTerms {
  const terms = termsOf(sas);
  const id = sas.value("si");
  if (id === "") {
    return terms;
  }
  const policy = findPolicy(id);
  if (policy === undefined) {
    throw authenticationFailed("The stored access policy of the signature does not exist.");
  }
  const merge = (field: keyof SasTerms): string => {
    if (terms[field] !== "" && policy[field] !== "") {
      throw authenticationFailed("A field is given both in the signature and in its stored access policy.");
    }
    return terms[field] === "" ? policy[field] : terms[field];
  };
  return { start: merge("start"), expiry: merge("expiry"), permissions: merge("permissions") };
}

/** @throws StorageError `AuthenticationFailed` with the text that the server signed (storage §4.2) */
export function checkSignature(sas: SasParameters, text: string, keys: readonly AccountKey[]): void {
  if (!keys.some((key) => key.signRecurring(text).equals(sas.signature))) {
    throw authenticationFailed(`Signature did not match. String to sign used was ${text}`);
  }
}
