import { type FastifyInstance, type FastifyRequest } from "fastify";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { callerOf } from "./caller.ts";
import { userJson } from "./management-json.ts";
import { registerObjectList } from "./object-lists.ts";
import { membershipLists } from "./membership-routes.ts";
import { entityPage } from "./query/listing.ts";

/** Every user may ask about himself. */
const config = { access: "self" } as const;

/** `/me`: the user whose access token it is. */
export function registerMeRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get("/me", { config }, (request) => entityPage(request, services, userJson(getSelf(request).user)));

  for (const [path, read] of Object.entries(membershipLists)) {
    registerObjectList(app, services, {
      path: `/me/${path}`,
      config,
      read: async (request) => {
        const { user, tenant } = getSelf(request);
        return { tenant, ids: await read(services, user) };
      },
    });
  }

  for (const action of ["getMemberGroups", "getMemberObjects"]) {
    app.post(`/me/${action}`, { config }, async (request) => ({
      value: await services.groups.groupsOf(getSelf(request).user.id),
    }));
  }

  app.post("/me/revokeSignInSessions", { config }, async (request) => {
    const { user } = getSelf(request);
    await services.users.endSessions(user);
    await services.backChannel.endAllOf(user);
    return { value: true };
  });
}

/** @throws ManagementError when there is no user behind the request */
function getSelf(request: FastifyRequest): { readonly user: User; readonly tenant: Tenant } {
  const caller = callerOf(request);
  if (caller.kind !== "token" || caller.token.user === undefined) {
    throw new ManagementError("Request_BadRequest", "'/me' is for access tokens of users");
  }
  return { user: caller.token.user, tenant: caller.token.tenant };
}
