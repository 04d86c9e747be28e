import { type FastifyInstance } from "fastify";
import { type IdentityServices } from "../services.ts";
import { type ById, getPrincipal } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { principalJson } from "./management-json.ts";
import { tenantOf } from "./tenant-of.ts";

/** `/directoryObjects`: whatever has an object id, without knowing what it is. */
export function registerDirectoryObjectRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get("/directoryObjects/:id", async (request: ById) =>
    principalJson(await getPrincipal(services, await tenantOf(request, services), request.params.id)),
  );
  app.post("/directoryObjects/getByIds", async (request) => {
    const tenant = await tenantOf(request, services);
    const ids = new JsonInput(request.body).findTexts("ids") ?? [];
    return { value: (await services.principals.findAll(tenant.id, ids.slice(0, IDS_LIMIT))).map(principalJson) };
  });
}

const IDS_LIMIT = 1_000;
