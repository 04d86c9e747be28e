import { getResource } from "../applications/resource.ts";
import { refuseWithoutPage } from "../factors/refuse-without-page.ts";
import { PASSWORD, USERNAME } from "../protocol/parameters.ts";
import { authenticateUser } from "../users/authenticate-user.ts";
import { newFamily } from "../tokens/refresh-token-store.ts";
import { type Grant } from "./grant.ts";
import { getTenantOfUser } from "./grant-tenant.ts";
import { issueToUser } from "./issue-tokens.ts";

const METHODS = ["pwd"];

/** `password`: the client has the user's name and password. (identity §4.1, §5.1; reference §4.1) */
export const passwordGrant: Grant = {
  names: ["password"],
  findTenant: (request) => getTenantOfUser(request, request.form.get(USERNAME)),
  run: async (request, tenant, client) => {
    const { services, form, profile, nowMs } = request;
    const userName = form.get(USERNAME);
    const password = form.get(PASSWORD);
    const target = profile.readUserTarget(form, true);
    const resource = await getResource(services.applications, tenant, target.resourceName);
    const user = await authenticateUser(tenant, userName, password, request.ipAddress, services);
    await refuseWithoutPage(services, tenant, user, profile.version);
    return issueToUser(request, tenant, client, {
      user,
      family: newFamily({
        tenantId: tenant.id,
        userId: user.id,
        appId: client.application.appId,
        methods: METHODS,
        authenticatedAtMs: nowMs,
      }),
      isNewFamily: true,
      resource,
      target,
      consent: "implied",
    });
  },
};
