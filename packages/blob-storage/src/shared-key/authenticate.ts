import { authenticationFailed } from "../errors/storage-error.ts";
import { type ServiceVersion } from "../request/service-version.ts";
import { type AccountKey } from "./account-key.ts";
import { readingsOf } from "./readings.ts";
import { refuseWrongDate } from "./request-date.ts";
import { Signature } from "./signature.ts";
import { type SignedRequest, stringToSign, stringToSignLite } from "./string-to-sign.ts";

export interface SharedKeyInput extends SignedRequest {
  readonly kind: "SharedKey" | "SharedKeyLite";
  readonly signature: string;
  readonly version: ServiceVersion;
  readonly nowMs: number;
  /** Further paths the client may have signed, such as the one without `-secondary` (storage §3.4). */
  readonly otherPaths: readonly string[];
}

/**
 * Verifies a signed request with either of the account's keys.
 *
 * @throws StorageError `AuthenticationFailed` whose detail names the date or, for a wrong signature, the text that
 *         the server signed: it holds no secret and is what people need to find their mistake (storage §6.2)
 */
export function verifySharedKey(input: SharedKeyInput, keys: readonly AccountKey[]): void {
  const wrongDate = refuseWrongDate(input.headers, input.nowMs);
  if (wrongDate !== undefined) {
    throw wrongDate;
  }
  const given = Signature.fromBase64(input.signature);
  let documented: string | undefined;
  for (const text of textsOf(input)) {
    documented ??= text;
    if (keys.some((key) => key.sign(text).equals(given))) {
      return;
    }
  }
  throw authenticationFailed(
    `The MAC signature found in the HTTP request '${input.signature}' is not the same as any computed signature. ` +
      `Server used following string to sign: '${documented ?? ""}'.`,
  );
}

function* textsOf(input: SharedKeyInput): Generator<string> {
  const write = input.kind === "SharedKey" ? stringToSign : stringToSignLite;
  for (const path of [input.path, ...input.otherPaths]) {
    for (const reading of readingsOf(input, input.version)) {
      yield write(path === input.path ? input : { ...input, path }, reading);
    }
  }
}
