import { type FastifyInstance } from "fastify";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";

/** The installation's own: nobody else turns it. */
const config = { access: "installation" } as const;

/** `/sealingKey/rotate`, ours: a new key outside the database, and everything inside sealed with it. */
export function registerSealingKeyRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.post("/sealingKey/rotate", { config }, async () => {
    if (!services.sealingKeys.canRotate) {
      throw new ManagementError("Request_BadRequest", "The sealing key is not kept by this server");
    }
    return { resealed: await services.sealingKeys.rotate() };
  });
}
