export {
  type BearerGuard,
  type BearerGuardOptions,
  createBearerGuard,
  type Judgement,
  type Refusal,
  type Requirement,
} from "./bearer-guard.ts";
export { bearerToken } from "./bearer-token.ts";
export { createTokenValidator, type TokenValidator, type TokenValidatorOptions } from "./token-validator.ts";
export { ProviderUnavailableError, type TokenRefusalCode, TokenRefusedError } from "./errors.ts";
export { tokenOf } from "./token-of.ts";
export { type ValidatedToken } from "./validated-token.ts";
