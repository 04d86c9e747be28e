export { ADMINISTRATOR } from "./users/user.ts";
export { createFirstTenant, type FirstTenant, needsFirstTenant, planFirstTenant } from "./tenants/first-tenant.ts";
export {
  type IdentityGuards,
  type IdentityProvider,
  type IdentityProviderOptions,
  openIdentityProvider,
} from "./identity-provider.ts";
export { type IdentityServices, type IdentitySettings } from "./services.ts";
export { issuerOf } from "./tokens/issuer.ts";
export { renderErrorDocumentation } from "./protocol/error-documentation.ts";
export { type ManagementGuard } from "./management/management-routes.ts";
export { type SecretBox } from "./store/secret-box.ts";
