import { type FastifyInstance, type FastifyRequest } from "fastify";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { bodyOf, queryOf } from "../protocol/request-text.ts";
import { type IdentityServices } from "../services.ts";
import { registerDevicePages } from "../device/device-flow.ts";
import { registerAccountPage } from "../sign-in/account-flow.ts";
import { nativeClientPage } from "../sign-in/native-client-page.ts";
import { SIGN_IN_PATH } from "../sign-in/pages.ts";
import { registerSignOutRoutes } from "../sign-out/sign-out-routes.ts";
import { ADMIN_CONSENT_FORM_PATH, AdminConsentFlow } from "./admin-consent-flow.ts";
import { AuthorizeFlow } from "./authorize-flow.ts";

/** Whether a request came over TLS, as the composition root knows. */
export type IsSecure = (request: FastifyRequest) => boolean;

const endpoints: readonly { readonly path: string; readonly version: TokenVersion }[] = [
  { path: "/:tenant/oauth2/authorize", version: 1 },
  { path: "/:tenant/oauth2/v2.0/authorize", version: 2 },
];

const adminConsentEndpoints: readonly { readonly path: string; readonly version: TokenVersion }[] = [
  { path: "/:tenant/adminconsent", version: 1 },
  { path: "/:tenant/v2.0/adminconsent", version: 2 },
];

type WithTenant = FastifyRequest<{ Params: { tenant: string } }>;

/** Serves both authorize endpoints, both of administrators' consent, the forms they lead to, and sign-out. (identity §4.2, §4.3; reference §7) */
export function registerAuthorizeRoutes(app: FastifyInstance, services: IdentityServices, isSecure: IsSecure): void {
  const flow = new AuthorizeFlow(services);
  const adminConsent = new AdminConsentFlow(services);
  app.register((scope, _options, done) => {
    // Passwords and session cookies travel over TLS only: what comes plain is sent to the public address.
    scope.addHook("onRequest", async (request, reply) => {
      if (!isSecure(request)) {
        return reply.redirect(services.settings.publicUrl + request.raw.url, 307);
      }
      return undefined;
    });
    for (const { path, version } of endpoints) {
      const stateOf = (request: WithTenant, parameters: string) => ({
        parameters,
        tenantSegment: request.params.tenant,
        version,
      });
      scope.get(path, (request: WithTenant, reply) =>
        flow.authorize(request, reply, stateOf(request, queryOf(request))),
      );
      scope.post(path, (request: WithTenant, reply) =>
        flow.authorize(request, reply, stateOf(request, bodyOf(request))),
      );
    }
    for (const { path, version } of adminConsentEndpoints) {
      scope.get(path, (request: WithTenant, reply) => {
        const state = { parameters: queryOf(request), tenantSegment: request.params.tenant, version };
        return adminConsent.show(request, reply, state);
      });
    }
    scope.post(ADMIN_CONSENT_FORM_PATH, (request, reply) => adminConsent.submit(request, reply, bodyOf(request)));
    scope.get("/:tenant/oauth2/nativeclient", (_request, reply) => {
      const page = nativeClientPage();
      return reply.headers(page.headers).send(page.html);
    });
    registerDevicePages(scope, services);
    registerAccountPage(scope, services);
    scope.post(SIGN_IN_PATH, (request, reply) => flow.submit(request, reply, bodyOf(request)));
    registerSignOutRoutes(scope, services);
    done();
  });
}
