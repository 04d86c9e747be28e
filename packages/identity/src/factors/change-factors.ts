import { type FastifyRequest } from "fastify";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type User } from "../users/user.ts";
import { stepOfCode } from "./one-time-code.ts";

/** Whose factors are changed, by a request of his own. */
export interface FactorChange {
  readonly services: IdentityServices;
  readonly request: FastifyRequest;
  readonly user: User;
}

/**
 * Keeps a new authenticator application once it has shown a right code.
 *
 * @param newSecret  base64
 * @returns what is wrong
 */
export async function confirmFactor(
  change: FactorChange,
  newSecret: string,
  code: string,
): Promise<string | undefined> {
  const { services, user } = change;
  const secret = Buffer.from(newSecret, "base64");
  const step = stepOfCode(secret, code, services.clock.now());
  if (step === undefined) {
    return "The code is wrong. Wait for the next one.";
  }
  try {
    await services.factors.add(user, secret, step);
  } catch (error) {
    if (error instanceof ManagementError) {
      return error.message;
    }
    throw error;
  }
  await record(change, "Add authenticator application");
  return undefined;
}

export async function removeFactor(change: FactorChange, id: string): Promise<void> {
  if (await change.services.factors.remove(change.user, id)) {
    await record(change, "Remove authenticator application");
  }
}

async function record({ services, request, user }: FactorChange, activity: string): Promise<void> {
  const party = { kind: "user", id: user.id, name: user.userPrincipalName } as const;
  await services.audit.append({
    category: "credential",
    activity,
    outcome: "success",
    tenantId: user.tenantId,
    actor: party,
    target: party,
    correlationId: exchangeOf(request).correlationId,
    ipAddress: request.ip,
  });
}
