export { bearerToken } from "./bearer-token.ts";
export { createTokenValidator, type TokenValidator, type TokenValidatorOptions } from "./token-validator.ts";
export { ProviderUnavailableError, type TokenRefusalCode, TokenRefusedError } from "./errors.ts";
export { type ValidatedToken } from "./validated-token.ts";
