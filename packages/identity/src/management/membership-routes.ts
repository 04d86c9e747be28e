import { type FastifyInstance } from "fastify";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type ById, getGroup, getServicePrincipal, getUser } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { registerObjectList } from "./object-lists.ts";

/** A principal whose groups and roles are asked for. */
export interface Holder {
  readonly id: string;
  readonly tenant: Tenant;
}

/** The collections whose entities belong to groups and hold roles, and how their entities are found. */
export const holders: Readonly<Record<string, (request: ById, services: IdentityServices) => Promise<Holder>>> = {
  users: async (request, services) => {
    const { user, tenant } = await getUser(request, services);
    return { id: user.id, tenant };
  },
  groups: async (request, services) => {
    const { group, tenant } = await getGroup(request, services);
    return { id: group.id, tenant };
  },
  servicePrincipals: async (request, services) => {
    const { principal, tenant } = await getServicePrincipal(request, services);
    return { id: principal.id, tenant };
  },
};

/** Which groups a user, group or service principal belongs to. */
export function registerMembershipRoutes(app: FastifyInstance, services: IdentityServices): void {
  for (const [collection, find] of Object.entries(holders)) {
    // An access token of too many groups sends whoever reads it here: users may ask about themselves.
    const config = collection === "users" ? ({ access: "own" } as const) : {};
    for (const [path, read] of Object.entries(membershipLists)) {
      registerObjectList(app, services, {
        path: `/${collection}/:id/${path}`,
        config,
        read: async (request) => {
          const holder = await find(request, services);
          return { tenant: holder.tenant, ids: await read(services, holder) };
        },
      });
    }
    for (const action of ["getMemberGroups", "getMemberObjects"]) {
      app.post(`/${collection}/:id/${action}`, { config }, async (request: ById) => ({
        value: await services.groups.groupsOf((await find(request, services)).id),
      }));
    }
    app.post(`/${collection}/:id/checkMemberGroups`, { config }, async (request: ById) => {
      const groups = await services.groups.groupsOf((await find(request, services)).id);
      const asked = new JsonInput(request.body).findTexts("groupIds") ?? [];
      return { value: asked.filter((id) => groups.includes(id.toLowerCase())) };
    });
  }
}

export const membershipLists: Readonly<
  Record<string, (services: IdentityServices, holder: { readonly id: string }) => Promise<readonly string[]>>
> = {
  memberOf: (services, { id }) => services.groups.directGroupsOf(id),
  transitiveMemberOf: (services, { id }) => services.groups.groupsOf(id),
};
