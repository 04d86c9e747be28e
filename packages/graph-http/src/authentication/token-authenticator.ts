import { ProviderUnavailableError, TokenRefusedError, type TokenValidator } from "@trefoil/token-validation";
import { type Authentication, type Refusal, type TokenAuthenticator } from "./authenticator.ts";

/** The application role that opens the database. Finer roles would have to be enforced per statement. */
const ADMINISTRATOR_ROLE = "admin";

/**
 * Lets in who brings a token that `validator` believes and that carries the role `admin`, in any case of letters. Every
 * other role is refused rather than given more than it says.
 */
export function createTokenAuthenticator(validator: TokenValidator): TokenAuthenticator {
  return async (token): Promise<Authentication> => {
    try {
      const { roles, userName, clientId } = await validator.validate(token);
      return roles.some((role) => role.toLowerCase() === ADMINISTRATOR_ROLE)
        ? { account: { name: userName ?? clientId, passwordChangeRequired: false } }
        : { refusal: MISSING_ROLE };
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
  message: `The bearer token lacks the role ${ADMINISTRATOR_ROLE}.`,
  withChallenge: false,
};

const PROVIDER_UNAVAILABLE: Refusal = {
  status: 503,
  code: "TransientError.Network.UnknownFailure",
  message: "The bearer token cannot be judged now: its issuer does not answer.",
  withChallenge: false,
};
