import { type FastifyError, type FastifyInstance, type FastifyRequest } from "fastify";
import { ManagementError } from "../protocol/management-error.ts";
import { CommonHeaders } from "../protocol/common-headers.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { refuseOtherMethods } from "../protocol/refuse-other-methods.ts";
import { type IdentityServices } from "../services.ts";
import { registerApplicationRoutes } from "./application-routes.ts";
import { registerAssignmentRoutes } from "./assignment-routes.ts";
import { registerAuditRoutes } from "./audit-routes.ts";
import { findTokenCaller, type ManagementCaller, rememberCaller } from "./caller.ts";
import { registerConsentRoutes } from "./consent-routes.ts";
import { registerAuthenticationMethodRoutes } from "./authentication-method-routes.ts";
import { registerCredentialRoutes } from "./credential-routes.ts";
import { registerDirectoryObjectRoutes } from "./directory-object-routes.ts";
import { registerDirectoryRoleRoutes } from "./directory-role-routes.ts";
import { registerFederatedCredentialRoutes } from "./federated-credential-routes.ts";
import { registerGroupRoutes } from "./group-routes.ts";
import { registerKeyRollRoutes } from "./key-roll-routes.ts";
import { registerManagedIdentityRoutes } from "./managed-identity-routes.ts";
import { registerMembershipRoutes } from "./membership-routes.ts";
import { registerMeRoutes } from "./me-routes.ts";
import { recordAdministration } from "./record-administration.ts";
import { registerSealingKeyRoutes } from "./sealing-key-routes.ts";
import { registerServicePrincipalRoutes } from "./service-principal-routes.ts";
import { registerSigningKeyRoutes } from "./signing-key-routes.ts";
import { registerTenantRoutes } from "./tenant-routes.ts";
import { registerTokenLifetimeRoutes } from "./token-lifetime-routes.ts";
import { registerUserRoutes } from "./user-routes.ts";

/** Who holds the installation's own token: decided by the composition root, which knows where that is. */
export type ManagementGuard = (request: FastifyRequest) => Promise<boolean> | boolean;

/**
 * Who may use a route; administrators of the tenant unless it says otherwise. `self`: everybody; `own`: also the user
 * whom the address names.
 */
interface ManagementRouteConfig {
  readonly access?: "installation" | "administrator" | "self" | "own";
}

const parts: readonly ((app: FastifyInstance, services: IdentityServices) => void)[] = [
  registerTenantRoutes,
  registerMeRoutes,
  registerApplicationRoutes,
  registerCredentialRoutes,
  registerKeyRollRoutes,
  registerFederatedCredentialRoutes,
  registerServicePrincipalRoutes,
  registerUserRoutes,
  registerAuthenticationMethodRoutes,
  registerGroupRoutes,
  registerMembershipRoutes,
  registerAssignmentRoutes,
  registerConsentRoutes,
  registerDirectoryRoleRoutes,
  registerDirectoryObjectRoutes,
  registerSigningKeyRoutes,
  registerSealingKeyRoutes,
  registerManagedIdentityRoutes,
  registerTokenLifetimeRoutes,
  registerAuditRoutes,
];

/**
 * Serves the management interface under `/v1.0`, Graph-shaped, as a scope of its own: JSON bodies, its own error shape,
 * nothing without an access token for the directory or the installation's own token. (rulings, Identity 10)
 */
export function registerManagementRoutes(
  app: FastifyInstance,
  services: IdentityServices,
  isInstallation: ManagementGuard,
): void {
  void app.register(
    (scope, _options, done) => {
      readJsonOrNothing(scope);
      const common = new CommonHeaders(services.settings);
      scope.addHook("onRequest", async (request, reply) => {
        reply.headers({ ...common.of(exchangeOf(request)), "cache-control": "no-store" });
        const caller = await authenticate(request, services, isInstallation);
        if (caller === undefined) {
          reply.header("www-authenticate", "Bearer");
          throw new ManagementError("InvalidAuthenticationToken", "An administrator's access token is needed");
        }
        rememberCaller(request, caller);
        refuseUnlessAllowed(request, caller);
      });
      recordAdministration(scope, services);
      scope.setErrorHandler((thrown: FastifyError | Error, request, reply) => {
        const error = asManagementError(thrown);
        if (error.status >= 500) {
          request.log.error({ err: thrown }, "management request failed");
        }
        return reply.status(error.status).send(errorJson(error, request, services));
      });
      refuseOtherMethods(scope, { method: refusedMethod, address: refuseAddress }, () => {
        for (const register of parts) {
          register(scope, services);
        }
      });
      done();
    },
    { prefix: "/v1.0" },
  );
}

/** Many clients name the type also when there is no body. */
function readJsonOrNothing(scope: FastifyInstance): void {
  const parseJson = scope.getDefaultJsonParser("error", "error");
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") {
      done(null, undefined);
    } else {
      void parseJson(request, String(body), done);
    }
  });
}

async function authenticate(
  request: FastifyRequest,
  services: IdentityServices,
  isInstallation: ManagementGuard,
): Promise<ManagementCaller | undefined> {
  return (await isInstallation(request)) ? { kind: "installation" } : findTokenCaller(request, services);
}

/** @throws ManagementError when the token is good, but not for this */
function refuseUnlessAllowed(request: FastifyRequest, caller: ManagementCaller): void {
  // What isn't served is refused as that, whoever asks.
  if (request.is404 || caller.kind === "installation") {
    return;
  }
  const { access } = request.routeOptions.config as ManagementRouteConfig;
  const isAllowed =
    access === "self" ||
    (access !== "installation" && caller.isAdministrator) ||
    (access === "own" && isAboutCaller(request, caller));
  if (!isAllowed) {
    throw new ManagementError("Authorization_RequestDenied", "The caller has no right to do this");
  }
}

function isAboutCaller(request: FastifyRequest, caller: ManagementCaller): boolean {
  const user = caller.kind === "token" ? caller.token.user : undefined;
  const asked = (request.params as { readonly id?: string }).id?.toLowerCase();
  return user !== undefined && (asked === user.id || asked === user.userPrincipalName.toLowerCase());
}

/** The shape of the Graph's errors, with the ids by which the log knows the request. */
function errorJson(error: ManagementError, request: FastifyRequest, services: IdentityServices): object {
  return {
    error: {
      code: error.code,
      message: error.message,
      innerError: {
        date: new Date(services.clock.now()).toISOString().slice(0, 19),
        "request-id": request.id,
        "client-request-id": exchangeOf(request).correlationId,
      },
    },
  };
}

function refuseAddress(): never {
  throw new ManagementError("Request_ResourceNotFound", "There is no such resource");
}

function refusedMethod({ method }: FastifyRequest, allowed: readonly string[]): ManagementError {
  const message = `This address takes ${allowed.join(" and ")} requests only, not ${method}`;
  return new ManagementError("Request_MethodNotAllowed", message);
}

function asManagementError(thrown: FastifyError | Error): ManagementError {
  if (thrown instanceof ManagementError) {
    return thrown;
  }
  const status = "statusCode" in thrown ? (thrown.statusCode ?? 500) : 500;
  if (status === 413) {
    return new ManagementError("Request_EntityTooLarge", "The body is too long");
  }
  return status < 500
    ? new ManagementError("Request_BadRequest", thrown.message)
    : new ManagementError("InternalServerError", "The request could not be served", { cause: thrown });
}
