import { type FastifyInstance, type FastifyRequest } from "fastify";
import { type Group } from "../groups/group.ts";
import { type Principal } from "../groups/principal.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type ById, getFound, getGroup, getPrincipal } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { groupJson } from "./management-json.ts";
import { registerObjectList } from "./object-lists.ts";
import { requiredValue } from "./query/evaluate-filter.ts";
import { countOf, entityPage, type Listing, listPage } from "./query/listing.ts";
import { groupMembers, refuseOtherMembers } from "./settable-members.ts";
import { tenantOf } from "./tenant-of.ts";

/** `/groups` and their members. */
export function registerGroupRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { groups } = services;

  app.get("/groups", async (request) =>
    listPage(request, services, groupListing(services, await tenantOf(request, services))),
  );

  app.get("/groups/$count", async (request, reply) => {
    const count = await countOf(request, groupListing(services, await tenantOf(request, services)));
    return reply.type("text/plain").send(String(count));
  });

  app.post("/groups", async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const input = readGroup(request);
    const members = await readBoundMembers(input, services, tenant);
    const group = await groups.create(tenant.id, {
      displayName: input.getText("displayName"),
      mailNickname: input.findText("mailNickname"),
      description: input.findText("description"),
    });
    for (const member of members) {
      await groups.addMember(group, member);
    }
    return reply.status(201).send(groupJson(group));
  });

  app.get("/groups/:id", async (request: ById) =>
    entityPage(request, services, groupJson((await getGroup(request, services)).group)),
  );

  app.patch("/groups/:id", async (request: ById, reply) => {
    const { group, tenant } = await getGroup(request, services);
    const input = readGroup(request);
    const members = await readBoundMembers(input, services, tenant);
    await groups.update(group, {
      displayName: input.findName("displayName"),
      mailNickname: input.findName("mailNickname"),
      description: input.findClearableText("description"),
    });
    for (const member of members) {
      await groups.addMember(group, member);
    }
    return reply.status(204).send();
  });

  app.delete("/groups/:id", async (request: ById, reply) => {
    await groups.delete((await getGroup(request, services)).group);
    return reply.status(204).send();
  });

  registerMemberRoutes(app, services);
}

function registerMemberRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { groups } = services;

  for (const [path, read] of [
    ["members", (group: Group) => groups.membersOf(group.id)],
    ["transitiveMembers", (group: Group) => groups.transitiveMembersOf(group.id)],
  ] as const) {
    registerObjectList(app, services, {
      path: `/groups/:id/${path}`,
      read: async (request) => {
        const { group, tenant } = await getGroup(request, services);
        return { tenant, ids: (await read(group)).map((member) => member.id) };
      },
    });
  }

  app.post("/groups/:id/members/$ref", async (request: ById, reply) => {
    const { group, tenant } = await getGroup(request, services);
    const reference = new JsonInput(request.body).getText("@odata.id");
    await groups.addMember(group, await getPrincipal(services, tenant, idOfReference(reference)));
    return reply.status(204).send();
  });

  app.delete(
    "/groups/:id/members/:memberId/$ref",
    async (request: FastifyRequest<{ Params: { id: string; memberId: string } }>, reply) => {
      const { group } = await getGroup(request, services);
      const { memberId } = request.params;
      const isRemoved = await groups.removeMember(group, memberId);
      getFound(isRemoved, `The group '${group.displayName}' has no member ${memberId}`);
      return reply.status(204).send();
    },
  );
}

function groupListing(services: IdentityServices, tenant: Tenant): Listing<Group> {
  const { groups } = services;
  return {
    read: (limit, after) => groups.list(tenant.id, limit, after && { displayName: after[0] ?? "", id: after[1] ?? "" }),
    keyOf: (group) => [group.displayName, group.id],
    json: groupJson,
    lookUp: async (filter) => {
      const id = requiredValue(filter, "id");
      const group = id === undefined ? undefined : await groups.find(tenant.id, id);
      return id === undefined ? undefined : group === undefined ? [] : [group];
    },
  };
}

/** @throws ManagementError for a member that a group doesn't have */
function readGroup({ body }: FastifyRequest): JsonInput {
  const input = new JsonInput(body);
  refuseOtherMembers(input, groupMembers);
  return input;
}

/** Members to add, referred to by address. */
async function readBoundMembers(
  input: JsonInput,
  services: IdentityServices,
  tenant: Tenant,
): Promise<readonly Principal[]> {
  const references = input.findTexts("members@odata.bind") ?? [];
  return Promise.all(references.map((reference) => getPrincipal(services, tenant, idOfReference(reference))));
}

/**
 * The id at the end of an address like `https://…/v1.0/directoryObjects/<id>`; an id alone will do.
 *
 * @throws ManagementError when there is none
 */
export function idOfReference(reference: string): string {
  const id = /([^/]+)\/?$/.exec(reference)?.[1];
  if (id === undefined) {
    throw new ManagementError("Request_BadRequest", "'@odata.id' must be the address of a directory object");
  }
  return id;
}
