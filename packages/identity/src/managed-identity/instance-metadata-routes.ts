import { isLoopbackHost, isLoopbackRequest } from "@trefoil/http";
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { JSON_TYPE, NEVER_CACHED } from "../protocol/headers.ts";
import { type IdentityServices } from "../services.ts";
import { recordManagedToken } from "../audit/record-managed-token.ts";
import { issueManagedToken, type ManagedToken } from "./issue-managed-token.ts";
import { type ManagedIdentity } from "./managed-identity.ts";
import { findParameter } from "./query.ts";

/** MSAL for Java puts a slash between the host it is told and the path, which begins with one. */
const PATHS = ["/metadata/identity/oauth2/token", "//metadata/identity/oauth2/token"];
/** Where clients look for it unless told otherwise; a rule of the machine's own network may lead it here. */
const METADATA_ADDRESS = "169.254.169.254";
const VERSION = /^\d{4}-\d{2}-\d{2}$/;

interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/**
 * Serves one managed identity in the shape of a virtual machine's metadata service, when the configuration names it:
 * nothing but being on this machine authenticates, so whatever a browser or a proxy could send is refused. (rulings,
 * Identity 11; reference §10.1)
 */
export function registerInstanceMetadataRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { settings } = services;
  if (settings.metadataIdentity === undefined) {
    return;
  }
  const name = settings.metadataIdentity;
  const answerToken = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const refusal = judgeOrigin(request) ?? judgeParameters(request);
    if (refusal !== undefined) {
      return refuse(reply, refusal);
    }
    const identity = await findIdentity(services, name);
    if (identity === undefined) {
      request.log.warn({ identity: name }, "the managed identity of the metadata endpoint does not exist");
      return refuse(reply, NOT_FOUND);
    }
    const answer = await issueManagedToken(services, identity, findParameter(request, "resource"), {
      clientId: findParameter(request, "client_id"),
      principalId: findParameter(request, "object_id"),
      resourceId: findParameter(request, "msi_res_id", "mi_res_id"),
    });
    await recordManagedToken(services, request, identity, answer);
    if ("accessToken" in answer) {
      const lifetime = answer.times.expiresAtSeconds - answer.times.issuedAtSeconds;
      return reply
        .headers(NEVER_CACHED)
        .type(JSON_TYPE)
        .send(JSON.stringify(tokenJson(answer, lifetime)));
    }
    return refuse(reply, { status: answer.status, error: answer.code, description: answer.message });
  };
  for (const path of PATHS) {
    app.get(path, answerToken);
  }
}

const NOT_FOUND: Refusal = { status: 400, error: "invalid_request", description: "Identity not found" };

/** No page can send the header without being asked first, no proxy hides that it is one, no foreign name gets in. */
function judgeOrigin(request: FastifyRequest): Refusal | undefined {
  const { host, metadata } = request.headers;
  if (!isLoopbackRequest(request.raw) || !(isLoopbackHost(host) || host === METADATA_ADDRESS)) {
    return { status: 401, error: "unknown_source", description: "Only processes on this machine are served" };
  }
  return typeof metadata === "string" && metadata.toLowerCase() === "true"
    ? undefined
    : { status: 400, error: "bad_request_102", description: "The header 'Metadata: true' is required" };
}

function judgeParameters(request: FastifyRequest): Refusal | undefined {
  return VERSION.test(findParameter(request, "api-version") ?? "")
    ? undefined
    : { status: 400, error: "invalid_request", description: "The parameter 'api-version' is missing or malformed" };
}

/** In the first tenant that has one of this name. */
async function findIdentity(services: IdentityServices, name: string): Promise<ManagedIdentity | undefined> {
  for (const tenant of await services.tenants.list()) {
    const identity = await services.managedIdentities.findByName(tenant.id, name);
    if (identity !== undefined) {
      return identity;
    }
  }
  return undefined;
}

/** Every value is text. */
function tokenJson({ accessToken, times, clientId, resource }: ManagedToken, lifetimeSeconds: number): object {
  return {
    access_token: accessToken,
    client_id: clientId,
    expires_in: String(lifetimeSeconds),
    expires_on: String(times.expiresAtSeconds),
    ext_expires_in: String(lifetimeSeconds),
    not_before: String(times.notBeforeSeconds),
    refresh_token: "",
    resource,
    token_type: "Bearer",
  };
}

function refuse(reply: FastifyReply, { status, error, description }: Refusal): FastifyReply {
  return reply
    .status(status)
    .headers(NEVER_CACHED)
    .type(JSON_TYPE)
    .send(JSON.stringify({ error, error_description: description }));
}
