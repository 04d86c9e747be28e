import { type FastifyError, type FastifyInstance, type FastifyRequest } from "fastify";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { registerApplicationRoutes } from "./application-routes.ts";
import { registerTenantRoutes } from "./tenant-routes.ts";
import { registerUserRoutes } from "./user-routes.ts";

/** Who may manage: decided by the composition root, which knows the credentials of the installation. */
export type ManagementGuard = (request: FastifyRequest) => Promise<boolean> | boolean;

/**
 * Serves the management interface under `/v1.0`, Graph-shaped, as a scope of its own: JSON bodies, its own error shape,
 * nothing without an administrator's bearer token. (rulings, Identity 10)
 */
export function registerManagementRoutes(
  app: FastifyInstance,
  services: IdentityServices,
  isAdministrator: ManagementGuard,
): void {
  void app.register(
    (scope, _options, done) => {
      const parseJson = scope.getDefaultJsonParser("error", "error");
      scope.removeContentTypeParser("application/json");
      scope.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
        // Many clients name the type also when there is no body.
        if (body === "") {
          done(null, undefined);
        } else {
          void parseJson(request, String(body), done);
        }
      });
      scope.addHook("onRequest", async (request, reply) => {
        if (!(await isAdministrator(request))) {
          reply.header("www-authenticate", "Bearer");
          throw new ManagementError("InvalidAuthenticationToken", "An administrator's access token is needed");
        }
        reply.header("cache-control", "no-store");
      });
      scope.setErrorHandler((thrown: FastifyError | Error, request, reply) => {
        const error = asManagementError(thrown);
        if (error.status >= 500) {
          request.log.error({ err: thrown }, "management request failed");
        }
        return reply.status(error.status).send({ error: { code: error.code, message: error.message } });
      });
      scope.setNotFoundHandler(() => {
        throw new ManagementError("Request_ResourceNotFound", "There is no such resource");
      });
      registerTenantRoutes(scope, services);
      registerApplicationRoutes(scope, services);
      registerUserRoutes(scope, services);
      done();
    },
    { prefix: "/v1.0" },
  );
}

function asManagementError(thrown: FastifyError | Error): ManagementError {
  if (thrown instanceof ManagementError) {
    return thrown;
  }
  const status = "statusCode" in thrown ? (thrown.statusCode ?? 500) : 500;
  return status < 500
    ? new ManagementError("Request_BadRequest", thrown.message)
    : new ManagementError("InternalServerError", "The request could not be served", { cause: thrown });
}
