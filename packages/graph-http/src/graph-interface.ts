import { type Clock } from "@trefoil/base";
import { type Engine, type Mode } from "@trefoil/graph-engine";
import { type TokenTables, type Transaction, type Isolation } from "@trefoil/graph-store";
import { type DirectService } from "@trefoil/http";
import { type FastifyInstance, type FastifyRequest } from "fastify";
import { AccessGate } from "./authentication/access-gate.ts";
import { registerAccessGuard } from "./authentication/access-guard.ts";
import { type AccountStore } from "./authentication/account-store.ts";
import { Authenticator, type TokenAuthenticator } from "./authentication/authenticator.ts";
import { userRoutes } from "./authentication/user-endpoint.ts";
import { commitJob } from "./batch/commit-job.ts";
import { batchRoute } from "./batch/batch-endpoint.ts";
import { type ExtensionHost } from "./extensions/extension-host.ts";
import { extensionHandler } from "./extensions/extension-endpoint.ts";
import { LEGACY_INDEX_ROUTES } from "./legacy-index/legacy-index-routes.ts";
import { consoleRoutes } from "./console/console-routes.ts";
import { beanRoutes } from "./management/bean-endpoints.ts";
import { transactionManagementRoutes } from "./management/transaction-endpoints.ts";
import { consoleRoutes as commandRoutes } from "./management/console-endpoints.ts";
import { type Maintenance } from "./management/maintenance-routes.ts";
import { type ImportFiles, managementRoutes } from "./management/management-routes.ts";
import { AccessLog } from "./protocol/access-log.ts";
import { registerErrorHandling } from "./protocol/error-handling.ts";
import { registerMediaTypeGuard } from "./protocol/media-type-guard.ts";
import { registerMountRedirects } from "./protocol/mount-redirects.ts";
import { registerFallback, registerRoutes } from "./protocol/routes.ts";
import { servedPaths } from "./protocol/served-paths.ts";
import { CATALOGUE_ROUTES } from "./rest/catalogue-endpoints.ts";
import { LABEL_ROUTES } from "./rest/label-endpoints.ts";
import { cypherRoutes } from "./rest/legacy-cypher.ts";
import { afterRelationships } from "./rest/after-relationships.ts";
import { NODE_ROUTES } from "./rest/node-endpoints.ts";
import { PROPERTY_ROUTES } from "./rest/property-endpoints.ts";
import { RELATIONSHIP_ROUTES } from "./rest/relationship-endpoints.ts";
import { type RestRoute } from "./rest/rest-call.ts";
import { restRoutes } from "./rest/rest-endpoint.ts";
import { serviceRootRepresentation, serviceRootRoutes } from "./rest/service-root.ts";
import { SCHEMA_ROUTES } from "./schema/schema-endpoints.ts";
import { type StatusCodePrefix } from "./status-codes.ts";
import { PATH_ROUTES } from "./traversal/path-endpoints.ts";
import { pagedTraversalRoutes } from "./traversal/paged-traversal-endpoints.ts";
import { PagedTraversals } from "./traversal/paged-traversals.ts";
import { traversalRoutes } from "./traversal/traversal-endpoints.ts";
import { CommitService } from "./transactions/commit-service.ts";
import { TransactionRegistry } from "./transactions/transaction-registry.ts";
import { transactionRoutes } from "./transactions/transactional-endpoint.ts";

/** What the interface needs of a store. */
export interface InterfaceStore {
  readonly tokens: TokenTables;
  begin(options?: { readonly isolation?: Isolation | undefined }): Transaction;
  readRelationships(): Promise<void> | undefined;
}

export interface GraphInterfaceOptions {
  readonly store: InterfaceStore;
  readonly engine: Engine;
  readonly clock: Clock;
  /** Undefined: authentication is off (`graph.auth_enabled`). */
  readonly accounts: AccountStore | undefined;
  /** What turns a bearer token into an account; without it tokens are refused. */
  readonly tokenAuthenticator?: TokenAuthenticator | undefined;
  /** Hosts besides this machine that a server without authentication answers to; `*` is all (`graph.allowed_hosts`). */
  readonly allowedHosts: readonly string[];
  /** The language of statements that don't choose one (`cypher.version`). */
  readonly mode: Mode;
  /** How long one statement may run (`graph.statement_timeout`); undefined: no limit. */
  readonly statementTimeoutMs?: number | undefined;
  readonly statusCodePrefix: StatusCodePrefix;
  /** Whether traversals may carry JavaScript (`graph.scripting`). */
  readonly scripting?: boolean | undefined;
  /** What `neo4j_version` says (`graph.reported_version`). */
  readonly reportedVersion: string;
  /** Of transactions that don't ask for one by `X-Isolation` (`graph.isolation`). */
  readonly isolation?: Isolation | undefined;
  /** Idle time after which a transaction is rolled back (`graph.transaction_timeout`). */
  readonly transactionTimeoutMs: number;
  readonly maximumBodyBytes: number;
  /** Takes the lines of the access log; without it there is none (`graph.http.log.enabled`). */
  readonly writeAccessLog?: ((line: string) => void) | undefined;
  /** The folder of the built console (`/browser/`). */
  readonly consoleDirectory?: string | undefined;
  /** What answers besides the endpoints; to be loaded when the interface is registered. */
  readonly extensions?: ExtensionHost | undefined;
  /** Without it there is no management interface. */
  readonly management?: ManagementOptions | undefined;
}

/** What the management interface is served with. */
export interface ManagementOptions {
  readonly isOwner: (request: FastifyRequest) => boolean;
  readonly importFiles: ImportFiles;
  readonly maintenance?: Maintenance | undefined;
}

export interface GraphInterface {
  readonly transactions: TransactionRegistry;
  readonly authenticator: Authenticator | undefined;
  /** Serves the commonest request faster than the application does; a server may do without. */
  readonly direct: DirectService;
  /** Rolls open transactions back; call when the server has stopped listening. */
  close(): void;
}

/** Serves the whole graph interface on `app`: the guard of every path, all endpoints, and the page of the others. */
export function registerGraphInterface(app: FastifyInstance, options: GraphInterfaceOptions): GraphInterface {
  const { store, engine, mode, statementTimeoutMs, statusCodePrefix, accounts, clock } = options;
  const authenticator =
    accounts === undefined ? undefined : new Authenticator(accounts, clock, options.tokenAuthenticator);
  const registry = new TransactionRegistry({
    source: store,
    clock,
    timeoutMs: options.transactionTimeoutMs,
    isolation: options.isolation,
    onExpired: (id) => app.log.info({ transaction: id }, "an idle transaction has expired and was rolled back"),
  });
  engine.transactions = registry.directory;
  registerMountRedirects(app);
  const gate = new AccessGate({ authenticator, allowedHosts: options.allowedHosts });
  registerAccessGuard(app, gate, statusCodePrefix);
  registerErrorHandling(app, statusCodePrefix);
  const { writeAccessLog } = options;
  const accessLog = writeAccessLog === undefined ? undefined : new AccessLog(writeAccessLog, () => clock.now());
  accessLog?.register(app);
  const traversals = { scripting: options.scripting ?? false };
  const rest = afterRelationships(
    [
      ...cypherRoutes({ engine, mode, statementTimeoutMs }),
      ...NODE_ROUTES,
      ...PROPERTY_ROUTES,
      ...RELATIONSHIP_ROUTES,
      ...LABEL_ROUTES,
      ...CATALOGUE_ROUTES,
      ...SCHEMA_ROUTES,
      ...LEGACY_INDEX_ROUTES,
      ...traversalRoutes(traversals),
      ...pagedTraversalRoutes(new PagedTraversals(clock), traversals),
      ...PATH_ROUTES,
    ],
    store,
  );
  const root: RestRoute = {
    method: "GET",
    path: "/db/data/",
    handle: ({ baseUrl }) => ({
      status: 200,
      representation: serviceRootRepresentation(baseUrl, options.reportedVersion),
    }),
  };
  const transactionServices = { engine, mode, statementTimeoutMs, tokens: store.tokens, registry, statusCodePrefix };
  const jobs = [root, ...rest, commitJob(transactionServices)];
  const batch = batchRoute(jobs, { prefix: statusCodePrefix, log: app.log });
  const management = [
    ...beanRoutes({
      reportedVersion: options.reportedVersion,
      startedAtMs: clock.now(),
      openTransactions: () => registry.size,
    }),
    ...commandRoutes({ engine, mode, statementTimeoutMs }),
  ];
  const routes = [
    ...consoleRoutes(options.consoleDirectory, {
      languageMode: mode,
      asksForCredentials: accounts !== undefined,
      reportedVersion: options.reportedVersion,
    }),
    ...serviceRootRoutes(options.reportedVersion),
    ...transactionRoutes(transactionServices),
    ...(options.management === undefined
      ? []
      : managementRoutes({
          ...transactionServices,
          ...options.management,
          extensions: options.extensions,
          accounts,
        })),
    ...transactionManagementRoutes(registry, statusCodePrefix),
    ...restRoutes([...rest, batch, ...management], { store, statusCodePrefix }),
    ...userRoutes({ accounts, statusCodePrefix }),
  ];
  options.extensions?.serveBeside(servedPaths(routes));
  // Bodies are read by the endpoints themselves: each judges what is no JSON in its own way.
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: options.maximumBodyBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    registerMediaTypeGuard(scope);
    registerRoutes(scope, routes, options.maximumBodyBytes);
    if (options.extensions !== undefined) {
      registerFallback(scope, extensionHandler(options.extensions, statusCodePrefix), options.maximumBodyBytes);
    }
    done();
  });
  const direct = new CommitService({
    ...transactionServices,
    gate,
    maximumBodyBytes: options.maximumBodyBytes,
    log: app.log,
    accessLog,
  });
  return { transactions: registry, authenticator, direct, close: () => registry.close() };
}
