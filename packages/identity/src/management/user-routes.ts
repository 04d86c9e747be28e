import { type FastifyInstance } from "fastify";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { checkUserName, type UserChange } from "../users/user-store.ts";
import { type ById, getUser } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { userJson } from "./management-json.ts";
import { requiredValue } from "./query/evaluate-filter.ts";
import { countOf, entityPage, type Listing, listPage } from "./query/listing.ts";
import { passwordProfileMembers, refuseOtherMembers, userMembers } from "./settable-members.ts";
import { tenantOf } from "./tenant-of.ts";

/** `/users`: by object id or sign-in name. */
export function registerUserRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { users } = services;

  app.get("/users", async (request) =>
    listPage(request, services, userListing(services, await tenantOf(request, services))),
  );

  app.get("/users/$count", async (request, reply) => {
    const count = await countOf(request, userListing(services, await tenantOf(request, services)));
    return reply.type("text/plain").send(String(count));
  });

  app.post("/users", async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const input = new JsonInput(request.body);
    const userPrincipalName = input.getText("userPrincipalName");
    const change = readUserChange(input, tenant);
    const displayName = change.displayName ?? userPrincipalName.slice(0, userPrincipalName.indexOf("@"));
    const user = await users.create(tenant, { ...change, userPrincipalName, displayName });
    return reply.status(201).send(userJson(user));
  });

  app.get("/users/:id", { config: { access: "own" } }, async (request: ById) =>
    entityPage(request, services, userJson((await getUser(request, services)).user)),
  );

  app.patch("/users/:id", async (request: ById, reply) => {
    const { user, tenant } = await getUser(request, services);
    const change = readUserChange(new JsonInput(request.body), tenant);
    await users.update(user, change);
    if (change.password !== undefined) {
      await services.lockout.unlock(tenant, user);
    }
    if (change.password !== undefined || change.isEnabled === false) {
      await services.backChannel.endAllOf(user);
    }
    return reply.status(204).send();
  });

  app.delete("/users/:id", async (request: ById, reply) => {
    const { user } = await getUser(request, services);
    await services.backChannel.endAllOf(user);
    await users.delete(user);
    return reply.status(204).send();
  });

  /** Lets a user try again at once who failed too often. */
  app.post("/users/:id/unlock", async (request: ById, reply) => {
    const { user, tenant } = await getUser(request, services);
    await services.lockout.unlock(tenant, user);
    return reply.status(204).send();
  });

  /** Ends all sessions and refresh tokens; the two names are those of two generations of clients. */
  for (const action of ["revokeSignInSessions", "invalidateAllRefreshTokens"]) {
    app.post(`/users/:id/${action}`, async (request: ById) => {
      const { user } = await getUser(request, services);
      await users.endSessions(user);
      await services.backChannel.endAllOf(user);
      return { value: true };
    });
  }
}

function userListing(services: IdentityServices, tenant: Tenant): Listing<User> {
  const { users } = services;
  return {
    read: (limit, after) => users.page(tenant.id, limit, after?.[0]),
    keyOf: (user) => [user.userPrincipalName.toLowerCase()],
    json: userJson,
    lookUp: async (filter) => {
      const name = requiredValue(filter, "userPrincipalName");
      const user = name === undefined ? undefined : await users.findByName(tenant.id, name);
      return name === undefined ? undefined : user === undefined ? [] : [user];
    },
  };
}

function readUserChange(input: JsonInput, tenant: Tenant): UserChange {
  refuseOtherMembers(input, userMembers);
  const password = input.findObject("passwordProfile");
  if (password !== undefined) {
    refuseOtherMembers(password, passwordProfileMembers);
  }
  const userPrincipalName = input.findName("userPrincipalName");
  if (userPrincipalName !== undefined) {
    checkUserName(tenant, userPrincipalName);
  }
  return {
    userPrincipalName,
    displayName: input.findName("displayName"),
    givenName: input.findClearableText("givenName"),
    surname: input.findClearableText("surname"),
    mail: input.findClearableText("mail"),
    isEnabled: input.findFlag("accountEnabled"),
    password: password?.findText("password"),
    mustChangePassword: password?.findFlag("forceChangePasswordNextSignIn"),
  };
}
