import { authenticateClient, readClientEvidence } from "../applications/authenticate-client.ts";
import { clientContext } from "../applications/client-context.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { GRANT_TYPE } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { resolveTenant } from "../tenants/resolve-tenant.ts";
import { authorizationCodeGrant } from "./authorization-code.ts";
import { clientCredentialsGrant } from "./client-credentials.ts";
import { type Grant, type GrantRequest, type IssuedTokens } from "./grant.ts";
import { deviceCodeGrant } from "./device-code.ts";
import { onBehalfOfGrant } from "./on-behalf-of.ts";
import { passwordGrant } from "./password.ts";
import { refreshTokenGrant } from "./refresh-token.ts";
import { type TokenProfile } from "./token-profile.ts";

/** Every grant that is served; metadata advertises exactly these. */
const grants: readonly Grant[] = [
  authorizationCodeGrant,
  clientCredentialsGrant,
  deviceCodeGrant,
  onBehalfOfGrant,
  passwordGrant,
  refreshTokenGrant,
];

const grantsByName: ReadonlyMap<string, Grant> = new Map(
  grants.flatMap((grant) => grant.names.map((name) => [name, grant])),
);

export const supportedGrantTypes: readonly string[] = [...grantsByName.keys()];

/** A request to a token endpoint as it came in. */
export interface TokenEndpointRequest {
  readonly services: IdentityServices;
  readonly profile: TokenProfile;
  readonly tenantSegment: string;
  readonly form: FormBody;
  readonly authorization: string | undefined;
  readonly origin: string | undefined;
  readonly ipAddress: string | undefined;
}

/**
 * The whole way of a token request:
 * tenant segment → grant → client's evidence → tenant → client authenticated → grant.
 *
 * @throws IdentityError for every refusal
 */
export async function exchangeToken(request: TokenEndpointRequest): Promise<IssuedTokens> {
  const { services, profile, form, origin, ipAddress } = request;
  const tenantChoice = await resolveTenant(services.tenants, request.tenantSegment);
  const grant = getGrant(form.get(GRANT_TYPE));
  const evidence = readClientEvidence(form, request.authorization);
  const nowMs = services.clock.now();
  const grantRequest: GrantRequest = { services, profile, form, tenantChoice, evidence, origin, ipAddress, nowMs };
  const tenant = await grant.findTenant(grantRequest);
  const isFromPage = grant.servesPages === true && origin !== undefined;
  const client = await authenticateClient(evidence, clientContext(services, tenant, isFromPage));
  return await grant.run(grantRequest, tenant, client);
}

function getGrant(name: string): Grant {
  const grant = grantsByName.get(name);
  if (grant === undefined) {
    throw new IdentityError(70003, { grant: name });
  }
  return grant;
}
