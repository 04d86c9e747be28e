import { must } from "@trefoil/base";
import { getResource } from "../applications/resource.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type Grant } from "./grant.ts";
import { getNamedTenant } from "./grant-tenant.ts";
import { issueToApplication } from "./issue-tokens.ts";

/** `client_credentials`: the client acts for itself. (identity §4.1, §5.2; reference §4.2) */
export const clientCredentialsGrant: Grant = {
  names: ["client_credentials"],
  findTenant: (request) => {
    if (request.evidence.credential.kind === "none") {
      throw new IdentityError(7000216);
    }
    return getNamedTenant(request);
  },
  run: async (request, tenant, client) => {
    const target = request.profile.readApplicationTarget(request.form);
    const resource = await getResource(request.services.applications, tenant, target.resourceName);
    const servicePrincipalId = must(
      client.application.servicePrincipals.get(tenant.id),
      "a client is let in only with a principal in the tenant",
    );
    return await issueToApplication(request, tenant, client, { resource, servicePrincipalId });
  },
};
