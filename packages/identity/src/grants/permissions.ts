import { type Resource } from "../applications/application.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { ALL_PERMISSIONS, type Target } from "./token-profile.ts";

/** What a resource is used by when it defines no permissions of its own. (reference §5.1) */
const USER_IMPERSONATION = "user_impersonation";

/**
 * The delegated permissions that a target comes to: those asked for by name, or all that users may give.
 *
 * @throws IdentityError 70011 for a permission that the resource doesn't define, 65001 for one that only an
 *         administrator may give
 */
export function delegatedPermissions(resource: Resource, target: Target, clientAppId: string): readonly string[] {
  const enabled = resource.scopes.filter((scope) => scope.isEnabled);
  if (target.permissions === ALL_PERMISSIONS) {
    const given = enabled.filter((scope) => scope.consentBy === "User").map((scope) => scope.value);
    return enabled.length === 0 ? [USER_IMPERSONATION] : given;
  }
  return target.permissions.map((name) => {
    const scope = enabled.find((each) => each.value.toLowerCase() === name.toLowerCase());
    if (scope === undefined && !(enabled.length === 0 && name === USER_IMPERSONATION)) {
      throw new IdentityError(70011, {
        scope: name,
        reason: `the resource '${resource.requestedAs}' does not have it`,
      });
    }
    if (scope?.consentBy === "Admin") {
      throw new IdentityError(65001, { scope: name, client: clientAppId });
    }
    return scope?.value ?? name;
  });
}
