import { type EndpointRequest } from "../protocol/endpoint.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { CLIENT_ID, GRANT_TYPE, USERNAME } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { type AuditEvent } from "./audit-event.ts";

type Answer = Readonly<Record<string, unknown>>;

/** Runs a token request and records what became of it, refusals too. */
export async function recordTokenRequest(
  services: IdentityServices,
  { tenantSegment, exchange, ipAddress }: EndpointRequest,
  form: FormBody,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const common = {
    category: "sign-in",
    activity: "Token request",
    correlationId: exchange.correlationId,
    ipAddress,
    details: { grant: form.find(GRANT_TYPE) },
  } as const;
  try {
    const answer = await run();
    await services.audit.note({ ...common, outcome: "success", ...partiesOf(answer["access_token"]) });
    return answer;
  } catch (error) {
    if (error instanceof IdentityError && !isPolling(error)) {
      const tenant = await services.tenants.find(tenantSegment);
      await services.audit.note({
        ...common,
        outcome: "failure",
        tenantId: tenant?.id,
        clientAppId: form.find(CLIENT_ID),
        actor: form.find(USERNAME) === undefined ? undefined : { kind: "user", name: form.find(USERNAME) },
        errorCodes: error.numbers,
      });
    }
    throw error;
  }
}

/** A device that asks whether the user is done yet: nothing happened. */
function isPolling(error: IdentityError): boolean {
  return error.outermost === 70016;
}

/** Who got a token for what, as the token itself says. */
function partiesOf(accessToken: unknown): Pick<AuditEvent, "tenantId" | "actor" | "clientAppId" | "resourceAppId"> {
  const payload = typeof accessToken === "string" ? accessToken.split(".")[1] : undefined;
  if (payload === undefined) {
    return {};
  }
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Readonly<
    Record<string, string | undefined>
  >;
  const isUser = claims["scp"] !== undefined;
  return {
    tenantId: claims["tid"],
    clientAppId: claims["appid"] ?? claims["azp"],
    resourceAppId: claims["aud"],
    actor: {
      kind: isUser ? "user" : "application",
      id: claims["oid"],
      name: claims["upn"] ?? claims["preferred_username"],
    },
  };
}
