import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { JSON_TYPE, NEVER_CACHED } from "../protocol/headers.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { type IdentityServices } from "../services.ts";
import { recordManagedToken } from "../audit/record-managed-token.ts";
import { issueManagedToken, type ManagedRefusal, type ManagedToken } from "./issue-managed-token.ts";
import { findParameter } from "./query.ts";

const PATH = "/msi/token";

/** The two versions differ in the header that carries the secret and in the form of the times. */
const versions: ReadonlyMap<string, Version> = new Map([
  ["2019-08-01", { header: "x-identity-header", expiresOn: String }],
  ["2017-09-01", { header: "secret", expiresOn: dateText }],
]);

interface Version {
  readonly header: string;
  readonly expiresOn: (seconds: number) => string;
}

/**
 * Serves managed identities in the shape of hosted web applications: `IDENTITY_ENDPOINT` with a secret header.
 * (rulings, Identity 11; reference §10.2)
 */
export function registerAppServiceRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get(PATH, async (request, reply) => {
    const version = versions.get(findParameter(request, "api-version") ?? "");
    if (version === undefined) {
      const message = `'api-version' must be one of ${[...versions.keys()].join(", ")}`;
      return refuse(request, reply, { status: 400, code: "invalid_request", message });
    }
    const header = request.headers[version.header];
    const identity = typeof header === "string" ? await services.managedIdentities.findByHeader(header) : undefined;
    if (identity === undefined) {
      const message = `The header ${version.header} is missing or wrong`;
      return refuse(request, reply, { status: 401, code: "unauthorized_client", message });
    }
    const answer = await issueManagedToken(services, identity, findParameter(request, "resource"), {
      clientId: findParameter(request, "client_id", "clientid"),
      principalId: findParameter(request, "principal_id", "object_id"),
      resourceId: findParameter(request, "mi_res_id", "msi_res_id"),
    });
    await recordManagedToken(services, request, identity, answer);
    return "accessToken" in answer
      ? reply
          .headers(NEVER_CACHED)
          .type(JSON_TYPE)
          .send(JSON.stringify(tokenJson(answer, version.expiresOn)))
      : refuse(request, reply, answer);
  });
}

function tokenJson(
  { accessToken, times, clientId, resource }: ManagedToken,
  expiresOn: (seconds: number) => string,
): object {
  return {
    access_token: accessToken,
    client_id: clientId,
    expires_on: expiresOn(times.expiresAtSeconds),
    not_before: String(times.notBeforeSeconds),
    resource,
    token_type: "Bearer",
  };
}

function refuse(request: FastifyRequest, reply: FastifyReply, { status, message }: ManagedRefusal): FastifyReply {
  const { correlationId } = exchangeOf(request);
  request.log.info({ correlationId, message }, "managed identity refused");
  return reply
    .status(status)
    .headers(NEVER_CACHED)
    .type(JSON_TYPE)
    .send(JSON.stringify({ statusCode: status, message, correlationId }));
}

/** `M/d/yyyy h:mm:ss AM +00:00` */
function dateText(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = date.getUTCHours();
  const day = `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
  const time = `${hours % 12 === 0 ? 12 : hours % 12}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${day} ${time} ${hours < 12 ? "AM" : "PM"} +00:00`;
}
