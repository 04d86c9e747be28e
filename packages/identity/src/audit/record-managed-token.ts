import { type FastifyRequest } from "fastify";
import { type ManagedRefusal, type ManagedToken } from "../managed-identity/issue-managed-token.ts";
import { type ManagedIdentity } from "../managed-identity/managed-identity.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { type IdentityServices } from "../services.ts";

/** Records that a hosted application got a token, or why it didn't. */
export async function recordManagedToken(
  services: IdentityServices,
  request: FastifyRequest,
  identity: ManagedIdentity,
  answer: ManagedToken | ManagedRefusal,
): Promise<void> {
  const isIssued = "accessToken" in answer;
  await services.audit.note({
    category: "sign-in",
    activity: "Managed identity token",
    outcome: isIssued ? "success" : "failure",
    tenantId: identity.tenantId,
    actor: { kind: "application", id: identity.principalId, name: identity.name },
    clientAppId: identity.application.appId,
    resourceAppId: isIssued ? answer.resource : undefined,
    errorCodes: isIssued ? undefined : [answer.status],
    correlationId: exchangeOf(request).correlationId,
    ipAddress: request.ip,
  });
}
