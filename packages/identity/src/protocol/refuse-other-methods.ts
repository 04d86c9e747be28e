import { type FastifyInstance } from "fastify";
import { IdentityError } from "./identity-error.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Answers every method but the allowed ones with 405, `Allow` and STS900561. (rulings, Identity 8) */
export function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  app.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url: path,
    handler: (request, reply) => {
      reply.header("allow", allowed.join(", "));
      throw new IdentityError(900561, { allowed: allowed.join(" and "), method: request.method });
    },
  });
}
