import { type FastifyInstance } from "fastify";
import { parseFormBody } from "../protocol/form-body.ts";
import { JSON_TYPE, NEVER_CACHED } from "../protocol/headers.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { CLIENT_SECRET, TOKEN } from "../protocol/parameters.ts";
import { refuseOtherMethods } from "../protocol/refuse-other-methods.ts";
import { type IdentityServices } from "../services.ts";
import { authenticateCaller } from "./authenticate-caller.ts";
import { introspect } from "./introspect.ts";

const PATH = "/:tenant/oauth2/v2.0/introspect";

/** Serves RFC 7662 to confidential clients: a public one could be anybody who tries tokens. */
export function registerIntrospectionRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.post<{ Params: { tenant: string } }>(PATH, async (request, reply) => {
    const form = parseFormBody(request.headers["content-type"], typeof request.body === "string" ? request.body : "");
    const caller = await authenticateCaller(services, request.params.tenant, form, request.headers.authorization);
    if (caller.authentication === "none") {
      throw new IdentityError(7000218, { name: CLIENT_SECRET });
    }
    const answer = await introspect(services, caller, form.get(TOKEN));
    return reply.headers(NEVER_CACHED).type(JSON_TYPE).send(JSON.stringify(answer));
  });
  refuseOtherMethods(app, PATH, ["POST"]);
}
