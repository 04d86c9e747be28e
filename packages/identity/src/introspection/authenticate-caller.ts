import {
  type AuthenticatedClient,
  authenticateClient,
  readClientEvidence,
} from "../applications/authenticate-client.ts";
import { clientContext } from "../applications/client-context.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { resolveTenant } from "../tenants/resolve-tenant.ts";

/** A client that came with a token in its hands. */
export interface Caller extends AuthenticatedClient {
  readonly tenant: Tenant;
}

/**
 * Authenticates the client of an endpoint beside the token endpoint, by the same credentials. The address must name a
 * tenant.
 *
 * @param isFromPage  whether a page asks, which can't keep a credential
 * @throws IdentityError 50059 when it names none; as {@link authenticateClient}
 */
export async function authenticateCaller(
  services: IdentityServices,
  tenantSegment: string,
  form: FormBody,
  authorization: string | undefined,
  isFromPage = false,
): Promise<Caller> {
  const choice = await resolveTenant(services.tenants, tenantSegment);
  const evidence = readClientEvidence(form, authorization);
  if (choice.kind !== "tenant") {
    throw new IdentityError(50059);
  }
  const { tenant } = choice;
  const { application, authentication } = await authenticateClient(
    evidence,
    clientContext(services, tenant, isFromPage),
  );
  return { application, authentication, tenant };
}
