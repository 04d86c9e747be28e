import { ProviderUnavailableError, TokenRefusedError, type TokenValidator } from "@trefoil/token-validation";
import { type Authentication, type Refusal, type TokenAuthenticator } from "./authenticator.ts";
import { highestRole, ROLES } from "./roles.ts";

/**
 * Lets in who brings a token that `validator` believes and that carries one of our roles, in any case of letters; of
 * several the highest counts.
 */
export function createTokenAuthenticator(validator: TokenValidator): TokenAuthenticator {
  return async (token): Promise<Authentication> => {
    try {
      const { roles, userName, clientId } = await validator.validate(token);
      const role = highestRole(roles);
      return role === undefined
        ? { refusal: MISSING_ROLE }
        : { account: { name: userName ?? clientId, role, passwordChangeRequired: false, isForeign: true } };
    } catch (error) {
      if (error instanceof TokenRefusedError) {
        return { refusal: INVALID_TOKEN };
      }
      if (error instanceof ProviderUnavailableError) {
        return { refusal: PROVIDER_UNAVAILABLE };
      }
      throw error;
    }
  };
}

const INVALID_TOKEN: Refusal = {
  status: 401,
  code: "ClientError.Security.AuthorizationFailed",
  message: "Invalid bearer token.",
  withChallenge: true,
};

const MISSING_ROLE: Refusal = {
  status: 403,
  code: "ClientError.Security.AuthorizationFailed",
  message: `The bearer token has none of the roles ${ROLES.join(", ")}.`,
  withChallenge: false,
};

const PROVIDER_UNAVAILABLE: Refusal = {
  status: 503,
  code: "TransientError.Network.UnknownFailure",
  message: "The bearer token cannot be judged now: its issuer does not answer.",
  withChallenge: false,
};
