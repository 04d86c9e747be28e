import { isLoopbackRequest } from "@trefoil/http";
import { type CliToken } from "@trefoil/installation";
import { type FastifyRequest } from "fastify";

/** Whether a request carries the data folder's token and comes from this machine (rulings, Identity 10). */
export function administratorCheck(token: CliToken): (request: FastifyRequest) => boolean {
  return (request) => {
    const [, candidate] = /^Bearer (\S+)$/iu.exec(request.headers.authorization ?? "") ?? [];
    return candidate !== undefined && isLoopbackRequest(request.raw) && token.matches(candidate);
  };
}
