import { authenticationFailed } from "../errors/storage-error.ts";
import { perObject } from "../request/per-object.ts";
import { type Query } from "../request/query.ts";
import { Signature } from "../shared-key/signature.ts";

/** The parameters of a shared access signature, exactly as they stand in the URL, decoded: that is what was signed. */
export interface SasParameters {
  readonly kind: "account" | "service" | "user-delegation";
  /** `sv`, the version whose rules were used for signing. */
  readonly version: string;
  readonly signature: Signature;
  /** The value of a parameter, empty when it is absent: a line of the signed text. */
  readonly value: (name: string) => string;
}

/**
 * Reads a shared access signature from a query; a query without `sig` has none.
 *
 * @throws StorageError `AuthenticationFailed` when a field is there twice, missing or not of its form (storage §4)
 */
export const readSasParameters: (query: Query) => SasParameters | undefined = perObject((query) => {
  if (!query.has("sig")) {
    return undefined;
  }
  for (const name of FIELDS) {
    if (query.parameters.filter((parameter) => parameter.name === name).length > 1) {
      throw malformed();
    }
  }
  const value = (name: string): string => query.find(name) ?? "";
  const version = value("sv");
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(version) || value("sig") === "") {
    throw malformed();
  }
  const kind = value("skoid") !== "" ? "user-delegation" : query.has("ss") ? "account" : "service";
  return { kind, version, signature: Signature.fromBase64(value("sig")), value };
});

/** What the service says about a signature that cannot be one (storage §4.2). */
export function malformed(): Error {
  return authenticationFailed("Signature fields not well formed.");
}

const FIELDS: readonly string[] =
  "sv sig ss srt sp st se sip spr si sr sdd ses snapshot versionid rscc rscd rsce rscl rsct skoid sktid skt ske sks skv saoid suoid scid skdutid sduoid srh srq".split(
    " ",
  );
