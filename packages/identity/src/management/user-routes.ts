import { type FastifyInstance, type FastifyRequest } from "fastify";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { type UserChange } from "../users/user-store.ts";
import { JsonInput } from "./management-input.ts";
import { userJson } from "./management-json.ts";
import { tenantOf } from "./tenant-of.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;

/** `/users`: by object id or sign-in name. */
export function registerUserRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { users } = services;

  app.get("/users", async (request) => {
    const tenant = await tenantOf(request, services);
    return { value: (await users.list(tenant.id)).map(userJson) };
  });

  app.post("/users", async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const input = new JsonInput(request.body);
    const userPrincipalName = input.getText("userPrincipalName");
    const user = await users.create(tenant, {
      userPrincipalName,
      ...readUserChange(input),
      displayName: input.findText("displayName") ?? userPrincipalName.slice(0, userPrincipalName.indexOf("@")),
    });
    return reply.status(201).send(userJson(user));
  });

  app.get("/users/:id", async (request: ById) => userJson((await getUser(request, services)).user));

  app.patch("/users/:id", async (request: ById, reply) => {
    const { user, tenant } = await getUser(request, services);
    const change = readUserChange(new JsonInput(request.body));
    await users.update(user, change);
    if (change.password !== undefined) {
      await services.lockout.reset(tenant, user.userPrincipalName);
    }
    return reply.status(204).send();
  });

  app.delete("/users/:id", async (request: ById, reply) => {
    await users.delete((await getUser(request, services)).user);
    return reply.status(204).send();
  });

  /** Lets a user try again at once who failed too often. */
  app.post("/users/:id/unlock", async (request: ById, reply) => {
    const { user, tenant } = await getUser(request, services);
    await services.lockout.reset(tenant, user.userPrincipalName);
    return reply.status(204).send();
  });
}

async function getUser(request: ById, services: IdentityServices): Promise<{ user: User; tenant: Tenant }> {
  const tenant = await tenantOf(request, services);
  const { id } = request.params;
  const user = (await services.users.findById(tenant.id, id)) ?? (await services.users.findByName(tenant.id, id));
  if (user === undefined) {
    throw new ManagementError(
      "Request_ResourceNotFound",
      `There is no user '${id}' in the tenant ${tenant.displayName}`,
    );
  }
  return { user, tenant };
}

function readUserChange(input: JsonInput): UserChange {
  const password = input.findObject("passwordProfile");
  return {
    displayName: input.findText("displayName"),
    givenName: input.findText("givenName"),
    surname: input.findText("surname"),
    mail: input.findText("mail"),
    isEnabled: input.findFlag("accountEnabled"),
    password: password?.findText("password"),
    mustChangePassword: password?.findFlag("forceChangePasswordNextSignIn"),
  };
}
