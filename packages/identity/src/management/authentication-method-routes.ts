import { type FastifyInstance, type FastifyRequest } from "fastify";
import { type Factor } from "../factors/factor-store.ts";
import { type IdentityServices } from "../services.ts";
import { type User } from "../users/user.ts";
import { dateTime } from "./date-time.ts";
import { type ById, getFound, getUser } from "./find-entities.ts";
import { listingOf, listPage } from "./query/listing.ts";

/** The id that every password has in the Graph. */
const PASSWORD_METHOD_ID = "28c10230-6103-485e-b985-444c60001490";

type ByMethod = FastifyRequest<{ Params: { id: string; methodId: string } }>;

/** How users prove who they are: shown, and taken away from whoever lost his telephone. Nobody adds one for another. */
export function registerAuthenticationMethodRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get("/users/:id/authentication/methods", async (request: ById) => {
    const { user } = await getUser(request, services);
    const methods = [...passwordJson(user), ...(await services.factors.list(user)).map(factorJson)];
    return listPage(
      request,
      services,
      listingOf(methods, (each) => each),
    );
  });

  app.get("/users/:id/authentication/softwareOathMethods", async (request: ById) => {
    const { user } = await getUser(request, services);
    return listPage(request, services, listingOf(await services.factors.list(user), factorJson));
  });

  app.delete("/users/:id/authentication/softwareOathMethods/:methodId", async (request: ByMethod, reply) => {
    const { user } = await getUser(request, services);
    const { methodId } = request.params;
    getFound(await services.factors.remove(user, methodId), `The user has no authenticator application ${methodId}`);
    return reply.status(204).send();
  });
}

function passwordJson(user: User): readonly object[] {
  return user.passwordHash === undefined
    ? []
    : [{ "@odata.type": "#microsoft.graph.passwordAuthenticationMethod", id: PASSWORD_METHOD_ID }];
}

/** The secret stays where it is. */
function factorJson({ id, createdAtMs }: Factor): object {
  return {
    "@odata.type": "#microsoft.graph.softwareOathAuthenticationMethod",
    id,
    createdDateTime: dateTime(createdAtMs),
    secretKey: null,
  };
}
