import { type FastifyInstance } from "fastify";
import { authenticateCaller } from "../introspection/authenticate-caller.ts";
import { NEVER_CACHED } from "../protocol/headers.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { openToPages } from "../protocol/open-to-pages.ts";
import { TOKEN } from "../protocol/parameters.ts";
import { postedForm } from "../protocol/request-text.ts";
import { type IdentityServices } from "../services.ts";
import { revoke } from "./revoke.ts";

const PATH = "/:tenant/oauth2/v2.0/revoke";

/** Serves RFC 7009 to every client, public ones and pages as well: the token itself is what counts. */
export function registerRevocationRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.post<{ Params: { tenant: string } }>(PATH, async (request, reply) => {
    reply.header("access-control-allow-origin", "*");
    const form = postedForm(request);
    const { authorization, origin } = request.headers;
    const isFromPage = origin !== undefined;
    const caller = await authenticateCaller(services, request.params.tenant, form, authorization, isFromPage);
    await revoke(services, caller, form.get(TOKEN));
    await services.audit.note({
      category: "sign-in",
      activity: "Revoke token",
      outcome: "success",
      tenantId: caller.tenant.id,
      actor: { kind: "application", id: caller.application.id, name: caller.application.displayName },
      clientAppId: caller.application.appId,
      correlationId: exchangeOf(request).correlationId,
      ipAddress: request.ip,
    });
    return reply.status(200).headers(NEVER_CACHED).send();
  });
  openToPages(app, PATH, ["POST"]);
}
