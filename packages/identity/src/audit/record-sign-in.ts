import { type FastifyRequest } from "fastify";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { type IdentityServices } from "../services.ts";
import { type SignInOutcome } from "../sign-in/submit-sign-in.ts";
import { type AuditEvent } from "./audit-event.ts";

const ACTIVITIES: Readonly<Record<SignInOutcome["kind"], string>> = {
  "signed in": "Sign in",
  wrong: "Sign in",
  "new password": "Password must be changed",
};

/** Records what a user's entries on a page came to. */
export async function recordSignIn(
  services: IdentityServices,
  request: FastifyRequest,
  outcome: SignInOutcome,
  entered: { readonly userName: string | undefined; readonly clientAppId: string | undefined },
): Promise<void> {
  const event: AuditEvent = {
    category: "sign-in",
    activity: ACTIVITIES[outcome.kind],
    outcome: outcome.kind === "wrong" ? "failure" : "success",
    clientAppId: entered.clientAppId,
    correlationId: exchangeOf(request).correlationId,
    ipAddress: request.ip,
  };
  if (outcome.kind === "signed in") {
    const { id, tenantId, userPrincipalName: name } = outcome.user;
    await services.audit.note({ ...event, tenantId, actor: { kind: "user", id, name } });
  } else {
    await services.audit.note({ ...event, actor: { kind: "user", name: entered.userName } });
  }
}
