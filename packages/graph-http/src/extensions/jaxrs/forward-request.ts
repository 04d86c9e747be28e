import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { includesRole, ROLES } from "../../authentication/roles.ts";
import { answer, CORS_HEADERS, errorsBody, type Exchange, JSON_TYPE } from "../../protocol/exchange.ts";
import { type StatusCodePrefix } from "../../status-codes.ts";
import { type JaxrsProcess } from "./jaxrs-process.ts";

/** Lets the host of jars answer; its answer passes through as it comes. */
export async function forwardRequest(
  exchange: Exchange,
  host: JaxrsProcess,
  databaseUrl: string | undefined,
  prefix: StatusCodePrefix,
): Promise<void> {
  if (!host.isRunning) {
    refuse(exchange, 503, "The host of mounted jars has ended.", prefix);
    return;
  }
  const { request: incoming, reply, body } = exchange;
  const headers = {
    ...forwardable(incoming.headers),
    ...ownHeaders(exchange, databaseUrl),
    "x-trefoil-secret": host.secret,
    "content-length": String(body.length),
  };
  await new Promise<void>((resolve) => {
    const { method, url: path } = incoming;
    const outgoing = request({ host: "127.0.0.1", port: host.port, method, path, headers }, (answered) => {
      reply.hijack();
      const { raw } = reply;
      const given = {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        ...CORS_HEADERS,
        ...forwardable(answered.headers),
      };
      raw.writeHead(answered.statusCode ?? 502, given);
      answered.pipe(raw);
      answered.on("error", () => raw.destroy());
      raw.once("close", () => {
        outgoing.destroy();
        resolve();
      });
    });
    outgoing.on("error", (error) => {
      if (!reply.raw.headersSent && !reply.raw.destroyed) {
        incoming.log.error({ err: error }, "the host of mounted jars does not answer");
        refuse(exchange, 502, "The host of mounted jars does not answer.", prefix);
      }
      resolve();
    });
    reply.raw.once("close", () => outgoing.destroy());
    outgoing.end(body);
  });
}

/** Who asks, as this server has found out: nobody else's word is taken for it. */
function ownHeaders({ request: { graphAccount } }: Exchange, databaseUrl: string | undefined): OutgoingHttpHeaders {
  return {
    ...(databaseUrl === undefined ? {} : { "x-trefoil-database": databaseUrl }),
    ...(graphAccount === undefined
      ? {}
      : {
          "x-trefoil-user": encodeURIComponent(graphAccount.name),
          "x-trefoil-roles": ROLES.filter((role) => includesRole(graphAccount.role, role)).join(","),
        }),
  };
}

/** Without what belongs to one connection, and what only this server may say. */
function forwardable(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !HOP_BY_HOP.has(name) && !named.has(name) && !name.startsWith("x-trefoil-") && name !== "date",
    ),
  );
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function refuse(exchange: Exchange, status: number, message: string, prefix: StatusCodePrefix): void {
  const body = errorsBody(`${prefix}.DatabaseError.General.UnknownFailure`, message);
  answer(exchange, status, { "content-type": JSON_TYPE }, body);
}
