import { assert, AssertionError } from "@trefoil/base";
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions } from "fastify";
import {
  createServer as createPlainServer,
  type RequestListener,
  type Server as PlainServer,
  type ServerOptions,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { AccessLog } from "./access-log.ts";
import { answerClientError, type ClientErrorAnswer, type ClientErrorStatus } from "./client-error.ts";
import { directRequests, type DirectService } from "./direct-requests.ts";
import { FrameworkLog } from "./framework-log.ts";
import { closeGracefully } from "./graceful-close.ts";
import { registerHealth } from "./health.ts";
import { type ListenerOptions, type ListeningAddress, listenOnAll } from "./listener.ts";
import { createMetrics, type MetricsGuard, registerMetrics, registerMetricsRoute } from "./metrics.ts";
import { OpenConnections } from "./open-connections.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";
import { type ServerCertificate, tlsOptions, type TlsListenerOptions } from "./tls.ts";

export interface HttpServerOptions {
  /** The server's name in metrics. */
  readonly name: string;
  readonly logger: Logger;
  readonly http?: ListenerOptions | undefined;
  readonly https?: TlsListenerOptions | undefined;
  /** A request's whole head, in bytes; more is answered by 431. Default 20,480 (graph-http §1). */
  readonly maxHeaderBytes?: number | undefined;
  /** Bodies that Fastify itself parses; more is answered by 413. Default 1 MiB. */
  readonly bodyLimitBytes?: number | undefined;
  /** The time in which a request's head must arrive. Default 30 s. */
  readonly headersTimeoutMs?: number | undefined;
  /** The time in which a whole request must arrive; 0 sets no limit (large uploads). Default 5 minutes. */
  readonly requestTimeoutMs?: number | undefined;
  /** The time without a byte in either direction after which a connection is cut; 0 (default) sets no limit. */
  readonly idleTimeoutMs?: number | undefined;
  /** How long an idle connection is kept for its next request. Default 65 s: longer than common proxies'. */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** How long `close` waits for requests that are being answered. Default 10 s. */
  readonly closeGraceMs?: number | undefined;
  /** Asked by `/health/ready` once the server listens. Default: ready. */
  readonly isReady?: (() => boolean) | undefined;
  /** Whether `/health/live`, `/health/ready` and `/metrics` are served. Default true. */
  readonly registerHealth?: boolean | undefined;
  /** Judges requests for `/metrics` from elsewhere than this machine. Default: refused. */
  readonly metricsGuard?: MetricsGuard | undefined;
  /** The body of answers to what is not readable as HTTP (400, 408, 431). Default: one line of text. */
  readonly renderClientError?: ((status: ClientErrorStatus) => ClientErrorAnswer) | undefined;
  /** A service whose requests pass by Fastify. */
  readonly direct?: DirectService | undefined;
  /** Further options of Fastify itself (routing, parsing, error rendering). */
  readonly fastifyOptions?: FastifyServerOptions | undefined;
}

/** One Fastify application served at several addresses, with and without TLS. */
export interface HttpServer {
  readonly app: FastifyInstance;
  /** The server's own metrics, served at `/metrics`. */
  readonly metrics: Registry;
  /** @throws StartError "port" when an address cannot be bound; nothing listens then */
  listen(): Promise<readonly ListeningAddress[]>;
  /** New TLS connections get this certificate; open ones go on. */
  replaceCertificate(certificate: ServerCertificate): void;
  /** Finishes requests that are being answered, then closes the application (its `onClose` hooks). */
  close(): Promise<void>;
}

const noCompiler = (): never => {
  throw new AssertionError("no route here is described by a JSON schema");
};
/** Fastify loads its compilers of schemas as soon as it is made, and they are larger than itself (decisions/0203). */
const withoutSchemas = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } };

/** What the three servers share on top of Fastify: listeners, limits, request ids, access log, health and metrics. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const metrics = createMetrics(options.name);
  const servers: (PlainServer | TlsServer)[] = [];
  const connections = new OpenConnections();
  const { logger } = options;
  const accessLog = new AccessLog(logger);
  let certificate = options.https?.certificate;
  let state: "starting" | "listening" | "closing" = "starting";
  let closed: Promise<void> | undefined;

  const app: FastifyInstance = fastify({
    bodyLimit: options.bodyLimitBytes ?? 1024 * 1024,
    ...options.fastifyOptions,
    loggerInstance: logger as FastifyBaseLogger,
    logController: new FrameworkLog(accessLog),
    genReqId: requestIdOf,
    schemaController: withoutSchemas,
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    if (state === "closing") {
      reply.header("connection", "close");
    }
    done();
  });
  const requestMetrics = createRequestMetrics(metrics);
  registerMetrics(app, requestMetrics);
  if (options.registerHealth ?? true) {
    registerHealth(app, () => state === "listening" && (options.isReady?.() ?? true));
    registerMetricsRoute(app, metrics, options.metricsGuard);
  }

  const { direct: service } = options;
  const onRequest: RequestListener = (request, response) => app.routing(request, response);
  const isClosing = (): boolean => state === "closing";
  const listener =
    service === undefined
      ? onRequest
      : directRequests({ service, accessLog, metrics: requestMetrics, isClosing, otherwise: onRequest });

  const prepare = <T extends PlainServer | TlsServer>(server: T): T => {
    server.on("request", listener);
    connections.watch(server);
    server.on("clientError", (error, socket) => answerClientError(error, socket, options.renderClientError));
    server.timeout = options.idleTimeoutMs ?? 0;
    return server;
  };
  const createPlain = (): PlainServer => prepare(createPlainServer(limitsOf(options)));
  const createTls = (): TlsServer => {
    assert(certificate !== undefined, "an https listener comes with its certificate");
    const server = prepare(createTlsServer({ ...limitsOf(options), ...tlsOptions(certificate) }));
    // A failed handshake is the client's affair, and scanners make many.
    server.on("tlsClientError", (error) => logger.debug({ err: error }, "TLS handshake failed"));
    return server;
  };

  return {
    app,
    metrics,
    listen: async () => {
      await app.ready();
      const addresses: ListeningAddress[] = [];
      try {
        for (const [protocol, listener, create] of [
          ["http", options.http, createPlain],
          ["https", options.https, createTls],
        ] as const) {
          if (listener !== undefined) {
            const result = await listenOnAll(protocol, listener.addresses, listener.port, create);
            servers.push(...result.servers);
            addresses.push(...result.bound);
          }
        }
      } catch (error) {
        await closeGracefully(servers.splice(0), connections, 0);
        throw error;
      }
      state = "listening";
      return addresses;
    },
    replaceCertificate: (replacement) => {
      certificate = replacement;
      for (const server of servers) {
        if ("setSecureContext" in server) {
          server.setSecureContext(tlsOptions(replacement));
        }
      }
    },
    close: () => {
      state = "closing";
      closed ??= closeGracefully(servers, connections, options.closeGraceMs ?? 10_000).then(() => app.close());
      return closed;
    },
  };
}

function limitsOf(options: HttpServerOptions): ServerOptions {
  const requestTimeout = options.requestTimeoutMs ?? 300_000;
  const headersTimeout = options.headersTimeoutMs ?? 30_000;
  return {
    maxHeaderSize: options.maxHeaderBytes ?? 20_480,
    requestTimeout,
    headersTimeout: requestTimeout === 0 ? headersTimeout : Math.min(headersTimeout, requestTimeout),
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
    connectionsCheckingInterval: 2_000,
  };
}
