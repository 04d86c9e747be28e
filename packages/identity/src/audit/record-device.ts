import { type FastifyRequest } from "fastify";
import { type Application } from "../applications/application.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { type IdentityServices } from "../services.ts";
import { type User } from "../users/user.ts";

/** Records whether a user let a device sign in. */
export async function recordDeviceDecision(
  services: IdentityServices,
  request: FastifyRequest,
  decision: { readonly client: Application; readonly user: User; readonly isApproved: boolean },
): Promise<void> {
  const { client, user, isApproved } = decision;
  await services.audit.note({
    category: "sign-in",
    activity: isApproved ? "Sign a device in" : "Decline to sign a device in",
    outcome: "success",
    tenantId: user.tenantId,
    actor: { kind: "user", id: user.id, name: user.userPrincipalName },
    target: { kind: "application", id: client.id, name: client.displayName },
    clientAppId: client.appId,
    correlationId: exchangeOf(request).correlationId,
    ipAddress: request.ip,
  });
}
