import { findNamedClient } from "../applications/authenticate-client.ts";
import { type IssuedTokens } from "../grants/grant.ts";
import { type EndpointRequest } from "../protocol/endpoint.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { GRANT_TYPE, USERNAME } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";

const CATEGORY = "sign-in";
const ACTIVITY = "Token request";

/** Runs a token request and records what became of it, refusals too. */
export async function recordTokenRequest(
  services: IdentityServices,
  { tenantSegment, exchange, headers, ipAddress }: EndpointRequest,
  form: FormBody,
  run: () => Promise<IssuedTokens>,
): Promise<IssuedTokens> {
  const { correlationId } = exchange;
  const details = { grant: form.find(GRANT_TYPE) };
  try {
    const issued = await run();
    const waiting = services.audit.note({
      category: CATEGORY,
      activity: ACTIVITY,
      outcome: "success",
      tenantId: issued.tenantId,
      actor: issued.subject,
      clientAppId: issued.clientAppId,
      resourceAppId: issued.resource.appId,
      correlationId,
      ipAddress,
      details,
    });
    if (waiting !== undefined) {
      await waiting;
    }
    return issued;
  } catch (error) {
    if (error instanceof IdentityError && !isPolling(error)) {
      const tenant = await services.tenants.find(tenantSegment);
      await services.audit.note({
        category: CATEGORY,
        activity: ACTIVITY,
        outcome: "failure",
        tenantId: tenant?.id,
        actor: form.find(USERNAME) === undefined ? undefined : { kind: "user", name: form.find(USERNAME) },
        clientAppId: findNamedClient(form, headers.authorization),
        errorCodes: error.numbers,
        correlationId,
        ipAddress,
        details,
      });
    }
    throw error;
  }
}

/** A device that asks whether the user is done yet: nothing happened. */
function isPolling(error: IdentityError): boolean {
  return error.outermost === 70016;
}
