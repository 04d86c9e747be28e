import { must } from "@trefoil/base";
import { getResource } from "../applications/resource.ts";
import { signApplicationAccessToken } from "../grants/issue-tokens.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { tokenTimes } from "../tokens/token-times.ts";
import { type TokenTimes } from "../tokens/access-token.ts";
import { type ManagedIdentity } from "./managed-identity.ts";

/** A token for a hosted application, and what the answers of both shapes say about it. */
export interface ManagedToken {
  readonly accessToken: string;
  readonly times: TokenTimes;
  readonly clientId: string;
  /** As it was asked for. */
  readonly resource: string;
}

/** Why a hosted application gets no token. Only `message` is told. */
export interface ManagedRefusal {
  readonly status: 400 | 401 | 403;
  readonly code: "invalid_request" | "invalid_resource" | "unauthorized_client";
  readonly message: string;
}

/** What a request names beside the resource: which of several identities it means, in four spellings. */
export type IdentityHints = Readonly<Partial<Record<"clientId" | "principalId" | "resourceId", string | undefined>>>;

/**
 * Issues the token of a managed identity: for an application, in the version of the resource, `aud` as asked for.
 * (identity §4.4; rulings, Identity 7 and 11; reference §10.3)
 */
export async function issueManagedToken(
  services: IdentityServices,
  identity: ManagedIdentity,
  resourceName: string | undefined,
  hints: IdentityHints,
): Promise<ManagedToken | ManagedRefusal> {
  if (!isMeant(identity, hints)) {
    return { status: 400, code: "invalid_request", message: "The identity is not found" };
  }
  if (!identity.application.document.isEnabled) {
    return { status: 403, code: "unauthorized_client", message: "The identity is disabled" };
  }
  if (resourceName === undefined || resourceName === "") {
    return { status: 400, code: "invalid_resource", message: "The parameter 'resource' is missing" };
  }
  const tenant = must(await services.tenants.find(identity.tenantId), "a tenant takes its identities along");
  try {
    const resource = await getResource(services.applications, tenant, resourceName);
    if (!mayAsk(identity, resource.appId)) {
      return { status: 403, code: "unauthorized_client", message: "The identity has no access to this resource" };
    }
    const times = await tokenTimes(services, tenant, resource.registration, services.clock.now());
    const clientId = identity.application.appId;
    const accessToken = await signApplicationAccessToken(services, {
      tenant,
      clientAppId: clientId,
      // The platform vouches for it, which counts as much as a certificate. (reference §10.3)
      clientAuthentication: "certificate",
      resource,
      servicePrincipalId: identity.principalId,
      times,
    });
    return { accessToken, times, clientId, resource: resourceName };
  } catch (error) {
    if (error instanceof IdentityError) {
      return { status: 400, code: "invalid_resource", message: error.message };
    }
    throw error;
  }
}

/** A client with one identity needn't name it; one that is named must be it. */
function isMeant(identity: ManagedIdentity, { clientId, principalId, resourceId }: IdentityHints): boolean {
  const same = (hint: string | undefined, id: string): boolean =>
    hint === undefined || hint.toLowerCase() === id.toLowerCase();
  return (
    same(clientId, identity.application.appId) &&
    same(principalId, identity.principalId) &&
    same(resourceId?.split("/").at(-1), identity.name)
  );
}

function mayAsk(identity: ManagedIdentity, resourceAppId: string): boolean {
  return identity.resourceAppIds.length === 0 || identity.resourceAppIds.includes(resourceAppId);
}
