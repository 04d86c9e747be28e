import { type FastifyRequest } from "fastify";
import { must } from "@trefoil/base";
import { DIRECTORY_ACCESS, directoryResource, directoryResourceNames } from "../applications/directory-resource.ts";
import { type LiveToken } from "../revocation/live-tokens.ts";
import { type IdentityServices } from "../services.ts";
import { ADMINISTRATOR } from "../users/user.ts";

/** Who sends a management request. */
export type ManagementCaller =
  /** Whoever holds the token of the data folder, on this machine: every tenant is open. */
  | { readonly kind: "installation" }
  /** Somebody with an access token for the directory: his own tenant is open, as far as his roles go. */
  | { readonly kind: "token"; readonly token: LiveToken; readonly isAdministrator: boolean };

const callers = new WeakMap<FastifyRequest, ManagementCaller>();

/** Undefined until the request is authenticated, and for good when it isn't let in. */
export function findCaller(request: FastifyRequest): ManagementCaller | undefined {
  return callers.get(request);
}

export function callerOf(request: FastifyRequest): ManagementCaller {
  return must(callers.get(request), "a management request is authenticated before it is served");
}

export function rememberCaller(request: FastifyRequest, caller: ManagementCaller): void {
  callers.set(request, caller);
}

const BEARER = /^bearer +([\w~+/.=-]+) *$/i;

/**
 * Judges the access token of a request: ours, for the built-in directory, and still good. An administrator is an
 * application with the role, or a user with the role whose client may act with his rights. (rulings, Identity 10;
 * decisions/0070)
 */
export async function findTokenCaller(
  request: FastifyRequest,
  services: IdentityServices,
): Promise<ManagementCaller | undefined> {
  const text = BEARER.exec(request.headers.authorization ?? "")?.[1];
  const judgement = text === undefined ? undefined : await services.liveTokens.judge(text);
  if (typeof judgement !== "object" || !isForDirectory(judgement)) {
    return undefined;
  }
  return { kind: "token", token: judgement, isAdministrator: await isAdministrator(judgement, services) };
}

function isForDirectory({ token }: LiveToken): boolean {
  return directoryResourceNames.has(token.audience.toLowerCase().replace(/^spn:/, "").replace(/\/$/, ""));
}

async function isAdministrator({ token, tenant }: LiveToken, services: IdentityServices): Promise<boolean> {
  if (token.kind === "user" && !token.scopes.has(DIRECTORY_ACCESS)) {
    return false;
  }
  const appRoles = await services.appRoleAssignments.rolesOf(tenant.id, token.objectId, directoryResource);
  return (
    appRoles.includes(ADMINISTRATOR) ||
    (await services.directoryRoles.rolesOf(tenant.id, token.objectId)).includes(ADMINISTRATOR)
  );
}
