import { type Account } from "../accounts/account.ts";
import { StorageError } from "../errors/storage-error.ts";
import { Query } from "../request/query.ts";
import { readSasParameters, type SasParameters } from "./sas-parameters.ts";
import { accountStringToSign, serviceStringToSign } from "./string-to-sign.ts";
import { isPermissions } from "./sas-grant.ts";

/** What a signature is asked for. */
export interface SasRequest {
  /** Absent for a signature over the account. */
  readonly container?: string | undefined;
  /** Absent for one over the whole container. */
  readonly blob?: string | undefined;
  /** Letters of storage §4.3. */
  readonly permissions: string;
  readonly expiryMs: number;
  /** An address or a range `a-b`. */
  readonly ip?: string | undefined;
  readonly httpsOnly?: boolean | undefined;
  /** What is written with it is encrypted with. */
  readonly encryptionScope?: string | undefined;
}

/** Known to every client that is still in use; its strings to sign have all lines of today. */
const VERSION = "2020-12-06";

/**
 * Makes a shared access signature with an account's first key.
 *
 * @returns the query without a question mark, percent-encoded
 * @throws StorageError `InvalidInput` for letters that no such signature has
 */
export function createSas(account: Account, request: SasRequest): string {
  const kind = request.container === undefined ? "account" : "service";
  if (!isPermissions(kind, request.permissions)) {
    throw new StorageError("InvalidInput", { detail: "unknown letters of permission" });
  }
  const parameters = new URLSearchParams({ sv: VERSION, ...placeOf(request) });
  parameters.set("se", time(request.expiryMs));
  parameters.set("sp", request.permissions);
  if (request.ip !== undefined) {
    parameters.set("sip", request.ip);
  }
  if (request.httpsOnly === true) {
    parameters.set("spr", "https");
  }
  if (request.encryptionScope !== undefined) {
    parameters.set("ses", request.encryptionScope);
  }
  parameters.set("sig", account.keys[0].sign(textOf(account, request, parameters)).toBase64());
  return encoded(parameters);
}

function placeOf({ container, blob }: SasRequest): Readonly<Record<string, string>> {
  return container === undefined ? { ss: "b", srt: "sco" } : { sr: blob === undefined ? "c" : "b" };
}

function textOf(account: Account, { container, blob }: SasRequest, parameters: URLSearchParams): string {
  const sas = parse(parameters);
  return container === undefined
    ? accountStringToSign(sas, account.name)
    : serviceStringToSign(sas, { account: account.name, container, blob });
}

/** Through the verifier's own reader: what is signed is what will be read. */
function parse(parameters: URLSearchParams): SasParameters {
  const unsigned = new URLSearchParams(parameters);
  unsigned.set("sig", "-");
  const sas = readSasParameters(new Query(encoded(unsigned)));
  if (sas === undefined) {
    throw new StorageError("InternalError");
  }
  return sas;
}

/** Without a form's plus for a blank, which the service takes for a plus. */
function encoded(parameters: URLSearchParams): string {
  return parameters.toString().replaceAll("+", "%20");
}

function time(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/u, "Z");
}
