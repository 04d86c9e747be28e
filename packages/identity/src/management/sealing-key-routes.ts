import { type FastifyInstance } from "fastify";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";

/** The installation's own: nobody else turns it. */
const config = { access: "installation" } as const;

/**
 * `/sealingKey`, ours: a new key outside the database and everything inside sealed with it; later, no older key. What
 * other servers of the data folder have sealed is theirs to seal anew in between. (decisions/0164)
 */
export function registerSealingKeyRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { sealingKeys } = services;
  app.post("/sealingKey/rotate", { config }, async () => {
    refuseUnlessKept(services);
    return { resealed: await sealingKeys.rotate() };
  });
  app.post("/sealingKey/forgetOld", { config }, async (_request, reply) => {
    refuseUnlessKept(services);
    await sealingKeys.forgetOld();
    return reply.status(204).send();
  });
}

function refuseUnlessKept({ sealingKeys }: IdentityServices): void {
  if (!sealingKeys.isKept) {
    throw new ManagementError("Request_BadRequest", "The sealing key is not kept by this server");
  }
}
