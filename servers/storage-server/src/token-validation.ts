import { StartError, systemClock } from "@trefoil/base";
import { type ValidateToken } from "@trefoil/blob-storage";
import { type Configuration, identityPublicUrl } from "@trefoil/config";
import { certificateAuthorityFile, findFile } from "@trefoil/installation";
import { createTokenValidator, TokenRefusedError } from "@trefoil/token-validation";
import { EmulatedTokens } from "./emulated-tokens.ts";

/** What clients of this kind of storage ask tokens for. */
export const STORAGE_RESOURCE = "https://storage.azure.com";
/** The same by the identifier that some clients use. */
const STORAGE_APP_ID = "e406a681-f3d4-42a8-90b6-c2b029497af1";

/** Whose tokens are believed: the configured issuer, else the local identity provider. */
export function issuerOf(configuration: Configuration): string {
  return (configuration.get("objects.identity.issuer") ?? identityPublicUrl(configuration)).replace(/\/+$/u, "");
}

/**
 * Makes the check of bearer tokens; keys are fetched when the first token comes. With a local provider that is not
 * served over https there is nobody whose tokens could be believed, and all are refused.
 *
 * @throws StartError `configuration` for a configured issuer that is no https address
 */
export async function openTokenValidation(configuration: Configuration, dataDirectory: string): Promise<ValidateToken> {
  const validate = await openProviderValidation(configuration, dataDirectory);
  const testKey = configuration.get("objects.identity.test_key");
  if (testKey === undefined) {
    return validate;
  }
  const emulated = await EmulatedTokens.open(testKey, systemClock);
  return async (token, use) => (emulated.isSigned(token) ? emulated.validate(token, use) : validate(token, use));
}

async function openProviderValidation(configuration: Configuration, dataDirectory: string): Promise<ValidateToken> {
  const issuer = issuerOf(configuration);
  const audience = configuration.get("objects.identity.audience") ?? [STORAGE_RESOURCE, STORAGE_APP_ID];
  const certificateAuthorityPem = await findFile(certificateAuthorityFile(dataDirectory));
  try {
    const validator = createTokenValidator({ issuer, audience, certificateAuthorityPem });
    return (token) => validator.validate(token);
  } catch (error) {
    if (configuration.get("objects.identity.issuer") === undefined) {
      return () => Promise.reject(new TokenRefusedError("issuer", "The issuer is not trusted"));
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError("configuration", `bearer tokens cannot be checked with the issuer ${issuer}: ${reason}`);
  }
}
