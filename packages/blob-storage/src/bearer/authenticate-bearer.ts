import { authenticationFailed, StorageError } from "../errors/storage-error.ts";
import {
  ProviderUnavailableError,
  type TokenRefusalCode,
  TokenRefusedError,
  type ValidatedToken,
} from "@trefoil/token-validation";
import { type Role } from "../metadata/tables.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { since } from "../request/service-version.ts";
import { type Services } from "../services.ts";

/** What of a believed token decides here. */
export interface TokenHolder {
  /** `oid`. */
  readonly objectId: string;
  /** `tid`. */
  readonly tenantId: string;
  /** Roles that the token itself gives, over the whole account. */
  readonly roles: readonly Role[];
}

/** What the judge of a token may know of its request. */
export interface TokenUse {
  /** The account that is addressed. */
  readonly account: string;
  /** Whether the request was made on this machine. */
  readonly isLocal: boolean;
}

/** Believes a bearer token of the identity provider; throws as TokenValidator.validate does. */
export type ValidateToken = (token: string, use: TokenUse) => Promise<ValidatedToken>;

/** Application roles of the storage resource → roles here (rulings, Objects 4). */
const APPLICATION_ROLES: Readonly<Record<string, Role>> = {
  "Storage.Reader": "Reader",
  "Storage.Contributor": "Contributor",
  "Storage.Owner": "Owner",
};

/** What callers are told, where it is more than the token's validator says. */
const DETAILS: Partial<Readonly<Record<TokenRefusalCode, string>>> = {
  audience: "The token's audience is not accepted here.",
  issuer: "The token's issuer is not trusted.",
  not_yet_valid: "Lifetime validation failed: the token is not valid yet.",
  expired: "Lifetime validation failed: the token has expired.",
};

/**
 * Believes a bearer token or refuses it (storage §5). A token that could be read on the way is worth nothing, so
 * nothing but https carries one.
 *
 * @throws StorageError `AuthenticationFailed`, or `ServerBusy` while the provider's keys can't be had
 */
export async function authenticateBearer(
  token: string,
  request: StorageRequest,
  services: Services,
): Promise<TokenHolder> {
  if (!request.secure) {
    throw authenticationFailed("Authentication scheme Bearer is not allowed with HTTP.");
  }
  if (request.version < since.bearer) {
    throw authenticationFailed("Authentication scheme Bearer is not supported in this version.");
  }
  try {
    const { objectId, tenantId, roles } = await services.validateToken(token, {
      account: request.account.name,
      isLocal: request.isLocal,
    });
    const known = roles.flatMap((role) => APPLICATION_ROLES[role] ?? []);
    return { objectId, tenantId, roles: known };
  } catch (error) {
    if (error instanceof TokenRefusedError) {
      throw authenticationFailed(DETAILS[error.code] ?? error.message);
    }
    throw error instanceof ProviderUnavailableError ? new StorageError("ServerBusy", { cause: error }) : error;
  }
}
