import { type FastifyInstance, type FastifyRequest } from "fastify";
import { derivedGuid } from "../applications/derived-guid.ts";
import { ADMINISTRATOR_ROLE_ID } from "../assignments/directory-role.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { ADMINISTRATOR } from "../users/user.ts";
import { type ById, getFound, getPrincipal } from "./find-entities.ts";
import { idOfReference } from "./group-routes.ts";
import { JsonInput } from "./json-input.ts";
import { registerObjectList } from "./object-lists.ts";
import { listingOf, listPage } from "./query/listing.ts";
import { tenantOf } from "./tenant-of.ts";

const role = {
  id: derivedGuid(`directory role ${ADMINISTRATOR}`),
  roleTemplateId: ADMINISTRATOR_ROLE_ID,
  displayName: ADMINISTRATOR,
  description: "May use the management interface of the tenant",
};

/** `/directoryRoles`: who may manage the tenant. */
export function registerDirectoryRoleRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get("/directoryRoles", (request) =>
    listPage(
      request,
      services,
      listingOf([role], (each) => each),
    ),
  );
  app.get("/directoryRoles/:id", (request: ById) => getRole(request));

  registerObjectList(app, services, {
    path: "/directoryRoles/:id/members",
    read: async (request) => {
      getRole(request);
      const tenant = await tenantOf(request, services);
      return { tenant, ids: await services.directoryRoles.membersOf(tenant.id, ADMINISTRATOR) };
    },
  });

  app.post("/directoryRoles/:id/members/$ref", async (request: ById, reply) => {
    getRole(request);
    const tenant = await tenantOf(request, services);
    const reference = new JsonInput(request.body).getText("@odata.id");
    const principal = await getPrincipal(services, tenant, idOfReference(reference));
    if (principal.kind === "group") {
      throw new ManagementError("Request_BadRequest", "A directory role is for users and applications, not for groups");
    }
    await services.directoryRoles.add(tenant.id, ADMINISTRATOR, principal.id);
    return reply.status(204).send();
  });

  app.delete(
    "/directoryRoles/:id/members/:memberId/$ref",
    async (request: FastifyRequest<{ Params: { id: string; memberId: string } }>, reply) => {
      getRole(request);
      const tenant = await tenantOf(request, services);
      const { memberId } = request.params;
      const isRemoved = await services.directoryRoles.remove(tenant.id, ADMINISTRATOR, memberId);
      getFound(isRemoved, `The role has no member ${memberId}`);
      return reply.status(204).send();
    },
  );
}

function getRole(request: ById): typeof role {
  const id = request.params.id.toLowerCase();
  const isMeant = [role.id, role.roleTemplateId, role.displayName.toLowerCase()].includes(id);
  return getFound(isMeant && role, `There is no directory role ${request.params.id}`);
}
