import { type FastifyInstance, type FastifyRequest } from "fastify";
import { authenticateClient, readClientEvidence } from "../applications/authenticate-client.ts";
import { clientContext } from "../applications/client-context.ts";
import { getResource } from "../applications/resource.ts";
import { wantedScopes } from "../grants/permissions.ts";
import { type TokenProfile } from "../grants/token-profile.ts";
import { v1Profile } from "../grants/v1-profile.ts";
import { v2Profile } from "../grants/v2-profile.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { JSON_TYPE, NEVER_CACHED } from "../protocol/headers.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { CLAIMS } from "../protocol/parameters.ts";
import { postedForm, queryForm } from "../protocol/request-text.ts";
import { type IdentityServices } from "../services.ts";
import { resolveTenant, type TenantChoice } from "../tenants/resolve-tenant.ts";
import { readRequestedClaims } from "../tokens/requested-claims.ts";
import { DEVICE_CODE_SECONDS, POLL_INTERVAL_SECONDS } from "./device-code-store.ts";
import { DEVICE_PATH } from "./device-flow.ts";

type WithTenant = FastifyRequest<{ Params: { tenant: string } }>;

/** Old clients ask v1 by GET as well. (reference §4.5) */
const endpoints = [
  { path: "/:tenant/oauth2/devicecode", profile: v1Profile, methods: ["POST", "GET", "HEAD"] },
  { path: "/:tenant/oauth2/v2.0/devicecode", profile: v2Profile, methods: ["POST"] },
];

/** Serves the endpoints at which a device begins. */
export function registerDeviceCodeRoutes(app: FastifyInstance, services: IdentityServices): void {
  for (const { path, profile, methods } of endpoints) {
    const begin = async (request: WithTenant, form: FormBody): Promise<string> =>
      JSON.stringify(
        await beginDeviceFlow(services, profile, request.params.tenant, form, request.headers.authorization),
      );
    app.post(path, async (request: WithTenant, reply) => {
      return reply
        .headers(NEVER_CACHED)
        .type(JSON_TYPE)
        .send(await begin(request, postedForm(request)));
    });
    if (methods.includes("GET")) {
      app.get(path, async (request: WithTenant, reply) => {
        return reply
          .headers(NEVER_CACHED)
          .type(JSON_TYPE)
          .send(await begin(request, queryForm(request)));
      });
    }
  }
}

/**
 * Begins a device flow: a code for the device, another one for the user, and where to type it.
 *
 * @throws IdentityError for an unknown tenant or client, a wrong credential if one was sent, a missing scope,
 *         a resource or a permission that the tenant named in the address doesn't have
 */
async function beginDeviceFlow(
  services: IdentityServices,
  profile: TokenProfile,
  tenantSegment: string,
  form: FormBody,
  authorization: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const choice = await resolveTenant(services.tenants, tenantSegment);
  const evidence = readClientEvidence(form, authorization);
  const tenant = await getClientTenant(services, choice, evidence.clientId);
  // A device may authenticate already here, but needs to only when it polls.
  if (evidence.credential.kind !== "none") {
    await authenticateClient(evidence, clientContext(services, tenant));
  }
  const target = profile.readUserTarget(form, profile.version === 2);
  if (choice.kind === "tenant") {
    // Told to the device: on the user's page nobody could do anything about it.
    wantedScopes(await getResource(services.applications, tenant, target.resourceName), target);
  }
  const claims = form.find(CLAIMS);
  readRequestedClaims(claims);
  const { deviceCode, userCode } = await services.deviceCodes.create({
    tenantId: choice.kind === "tenant" ? choice.tenant.id : undefined,
    appId: evidence.clientId.toLowerCase(),
    resource: profile.version === 1 ? target.resourceName : undefined,
    scope: target.scopeText,
    claims,
  });
  return render(profile, `${services.settings.publicUrl}${DEVICE_PATH}`, deviceCode, userCode);
}

/** The client's tenant in which it is looked for: the one named, or its home. */
async function getClientTenant(services: IdentityServices, choice: TenantChoice, clientId: string) {
  const application = await services.applications.findByAppId(clientId);
  const home = application === undefined ? undefined : await services.tenants.find(application.tenantId);
  const tenant = choice.kind === "tenant" ? choice.tenant : home;
  if (application === undefined || tenant === undefined || !application.servicePrincipals.has(tenant.id)) {
    throw new IdentityError(700016, { client: clientId, tenant: choice.segment });
  }
  if (!application.document.isEnabled) {
    throw new IdentityError(7000112, { client: clientId });
  }
  return tenant;
}

/** v1 says `verification_url` and writes numbers as strings. */
function render(
  profile: TokenProfile,
  address: string,
  deviceCode: string,
  userCode: string,
): Readonly<Record<string, unknown>> {
  const common = {
    user_code: userCode,
    device_code: deviceCode,
    message: `To sign in, open the page ${address} in a browser and enter the code ${userCode}.`,
  };
  return profile.version === 1
    ? {
        ...common,
        verification_url: address,
        expires_in: String(DEVICE_CODE_SECONDS),
        interval: String(POLL_INTERVAL_SECONDS),
      }
    : {
        ...common,
        verification_uri: address,
        verification_uri_complete: `${address}?user_code=${userCode}`,
        expires_in: DEVICE_CODE_SECONDS,
        interval: POLL_INTERVAL_SECONDS,
      };
}
