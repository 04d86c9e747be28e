import { type FastifyInstance } from "fastify";
import { baseUrlOfRequest } from "./exchange.ts";

/** What lives at its path with a final slash; several clients ask without (graph-http §2). */
const MOUNTS: ReadonlySet<string> = new Set(["/db/data", "/db/manage", "/browser", "/webadmin"]);

/**
 * Sends whoever asks for a mount without its slash to the one with it, whatever the method and before credentials are
 * looked at: the address tells nothing (golden, auth).
 */
export function registerMountRedirects(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    const { url } = request;
    const query = url.indexOf("?");
    const path = query === -1 ? url : url.slice(0, query);
    if (!MOUNTS.has(path)) {
      return undefined;
    }
    const location = `${baseUrlOfRequest(request)}${path}/${query === -1 ? "" : url.slice(query)}`;
    return reply.code(302).header("location", location).send();
  });
}
