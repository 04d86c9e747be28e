import { type FastifyRequest } from "fastify";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { type IdentityServices } from "../services.ts";
import { type PasswordOwner, type SignInOutcome } from "../sign-in/submit-sign-in.ts";
import { type AuditEvent } from "./audit-event.ts";

const ACTIVITIES: Readonly<Record<SignInOutcome["kind"], string>> = {
  "signed in": "Sign in",
  wrong: "Sign in",
  code: "Second factor is asked for",
  "set up": "Second factor must be set up",
  "new password": "Password must be changed",
};

/** What was on the page, without the secrets. */
export interface Entered {
  readonly userName: string | undefined;
  readonly clientAppId: string | undefined;
  /** Set on the pages that follow the password. */
  readonly passwordOf: PasswordOwner | undefined;
}

/** Records what a user's entries on a page came to. */
export async function recordSignIn(
  services: IdentityServices,
  request: FastifyRequest,
  outcome: SignInOutcome,
  { userName, clientAppId, passwordOf }: Entered,
): Promise<void> {
  const isWrong = outcome.kind === "wrong" || ("message" in outcome && outcome.message !== undefined);
  const user = "user" in outcome ? outcome.user : undefined;
  const event: AuditEvent = {
    category: "sign-in",
    activity: ACTIVITIES[outcome.kind],
    outcome: isWrong ? "failure" : "success",
    tenantId: outcome.kind === "signed in" ? user?.tenantId : undefined,
    actor: {
      kind: "user",
      id: outcome.kind === "signed in" ? user?.id : undefined,
      name: user?.userPrincipalName ?? userName,
    },
    clientAppId,
    correlationId: exchangeOf(request).correlationId,
    ipAddress: request.ip,
  };
  const change = outcome.kind === "signed in" ? CHANGES[passwordOf?.needs ?? "code"] : undefined;
  if (change !== undefined) {
    await services.audit.append({ ...event, category: "credential", activity: change, target: event.actor });
  }
  await services.audit.note(event);
}

/** What the last page changed. */
const CHANGES: Readonly<Partial<Record<PasswordOwner["needs"], string>>> = {
  "set up": "Add authenticator application",
  "new password": "Change own password",
};
