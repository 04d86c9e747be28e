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

/** What was on the page, without the secrets. */
export interface Entered {
  readonly userName: string | undefined;
  readonly clientAppId: string | undefined;
  /** Whether it was the page for a new password. */
  readonly isNewPassword: boolean;
}

/** Records what a user's entries on a page came to. */
export async function recordSignIn(
  services: IdentityServices,
  request: FastifyRequest,
  outcome: SignInOutcome,
  entered: Entered,
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
    const user = { kind: "user", id, name } as const;
    if (entered.isNewPassword) {
      const change = { category: "credential", activity: "Change own password", target: user } as const;
      await services.audit.append({ ...event, ...change, tenantId, actor: user });
    }
    await services.audit.note({ ...event, tenantId, actor: user });
  } else {
    await services.audit.note({ ...event, actor: { kind: "user", name: entered.userName } });
  }
}
