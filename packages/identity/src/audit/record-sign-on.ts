import { type FastifyRequest } from "fastify";
import { type Application } from "../applications/application.ts";
import { type Authorization } from "../authorize/issue-authorization.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { type IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";

/** Whether the user was asked for something, or the browser's session was enough. */
export type SignOnKind = "silent" | "by credential";

const ACTIVITIES: Readonly<Record<SignOnKind, string>> = {
  silent: "Silent sign-on",
  "by credential": "Sign-on",
};

/** Records that a client got an answer about a user. */
export async function recordSignOn(
  services: IdentityServices,
  request: FastifyRequest,
  { tenant, client, user, resource }: Authorization,
  how: SignOnKind,
): Promise<void> {
  await services.audit.note({
    category: "sign-in",
    activity: ACTIVITIES[how],
    outcome: "success",
    tenantId: tenant.id,
    actor: { kind: "user", id: user.id, name: user.userPrincipalName },
    clientAppId: client.appId,
    resourceAppId: resource.appId,
    correlationId: exchangeOf(request).correlationId,
    ipAddress: request.ip,
  });
}

/** Records that a client got none, unless nobody was signed in whom it would be about. */
export async function recordRefusedSignOn(
  services: IdentityServices,
  request: FastifyRequest,
  client: Application,
  error: IdentityError,
): Promise<void> {
  if (error.outermost === 50058) {
    return;
  }
  await services.audit.note({
    category: "sign-in",
    activity: "Sign-on",
    outcome: "failure",
    tenantId: client.tenantId,
    clientAppId: client.appId,
    errorCodes: error.numbers,
    correlationId: exchangeOf(request).correlationId,
    ipAddress: request.ip,
  });
}
