import { type FastifyRequest } from "fastify";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { type IdentityServices } from "../services.ts";
import { type Session } from "../sign-in/session-store.ts";

/** Records that users ended their sessions. */
export async function recordSignOut(
  services: IdentityServices,
  request: FastifyRequest,
  sessions: readonly Session[],
): Promise<void> {
  for (const { user } of sessions) {
    await services.audit.note({
      category: "sign-in",
      activity: "Sign-out",
      outcome: "success",
      tenantId: user.tenantId,
      actor: { kind: "user", id: user.id, name: user.userPrincipalName },
      correlationId: exchangeOf(request).correlationId,
      ipAddress: request.ip,
    });
  }
}
