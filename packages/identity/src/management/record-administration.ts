import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type AuditParty } from "../audit/audit-event.ts";
import { activityOf } from "../audit/management-activities.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { TENANT } from "../protocol/headers.ts";
import { type IdentityServices } from "../services.ts";
import { findCaller, type ManagementCaller } from "./caller.ts";

/** Records every request that changes something, or tried to, before it is answered. */
export function recordAdministration(scope: FastifyInstance, services: IdentityServices): void {
  scope.addHook("onSend", async (request, reply, payload) => {
    const route = (request.routeOptions.url ?? "").replace(/^\/v1\.0/, "");
    const activity = route === "" ? undefined : activityOf(request.method, route, membersOf(request));
    const caller = findCaller(request);
    if (activity !== undefined && caller !== undefined) {
      const isDone = reply.statusCode < 400;
      await services.audit.append({
        ...activity,
        outcome: isDone ? "success" : "failure",
        tenantId: await findTenantId(request, caller, services),
        actor: actorOf(caller),
        clientAppId: caller.kind === "token" ? caller.token.token.clientAppId : undefined,
        target: targetOf(request, isDone ? payload : undefined),
        errorCodes: isDone ? undefined : [reply.statusCode],
        correlationId: exchangeOf(request).correlationId,
        ipAddress: request.ip,
        details: detailsOf(request, reply),
      });
    }
    return payload;
  });
}

function actorOf(caller: ManagementCaller): AuditParty {
  if (caller.kind === "installation") {
    return { kind: "installation" };
  }
  const { token, user } = caller.token;
  return user === undefined
    ? { kind: "application", id: token.objectId }
    : { kind: "user", id: user.id, name: user.userPrincipalName };
}

async function findTenantId(
  request: FastifyRequest,
  caller: ManagementCaller,
  services: IdentityServices,
): Promise<string | undefined> {
  if (caller.kind === "token") {
    return caller.token.tenant.id;
  }
  const name = request.headers[TENANT];
  const tenant = typeof name === "string" ? await services.tenants.find(name) : (await services.tenants.list()).at(0);
  return tenant?.id;
}

const KINDS: Readonly<Record<string, AuditParty["kind"]>> = {
  applications: "application",
  servicePrincipals: "application",
  managedIdentities: "application",
  users: "user",
  me: "user",
  groups: "group",
};

/** The entity of the address, or the one that was made. */
function targetOf(request: FastifyRequest, payload: unknown): AuditParty {
  const kind = KINDS[request.url.split(/[/?]/)[2] ?? ""] ?? "other";
  const { id } = request.params as { readonly id?: string };
  if (id !== undefined) {
    return { kind, id };
  }
  const made = typeof payload === "string" ? readObject(payload) : {};
  const name = made["userPrincipalName"] ?? made["displayName"] ?? made["name"];
  const madeId = made["id"] ?? made["principalId"] ?? made["keyId"];
  return {
    kind,
    id: typeof madeId === "string" ? madeId : undefined,
    name: typeof name === "string" ? name : undefined,
  };
}

/** Names of what the body changes, never its values: some of them are secrets. */
function detailsOf(request: FastifyRequest, reply: FastifyReply): Readonly<Record<string, readonly string[] | string>> {
  const members = membersOf(request);
  const { keyId, memberId, assignmentId } = request.params as Readonly<Record<string, string | undefined>>;
  return {
    requestId: String(reply.request.id),
    ...(members.length === 0 ? {} : { changed: members }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(memberId === undefined ? {} : { memberId }),
    ...(assignmentId === undefined ? {} : { assignmentId }),
  };
}

function membersOf({ body }: FastifyRequest): readonly string[] {
  return typeof body === "object" && body !== null ? Object.keys(body).slice(0, MEMBER_LIMIT) : [];
}

const MEMBER_LIMIT = 50;

function readObject(payload: string): Readonly<Record<string, unknown>> {
  return payload.startsWith("{") ? (JSON.parse(payload) as Readonly<Record<string, unknown>>) : {};
}
