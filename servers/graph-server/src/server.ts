import { StartError, systemClock } from "@trefoil/base";
import { createEngine, type Mode } from "@trefoil/graph-engine";
import {
  type Account,
  AccountStore,
  createTokenAuthenticator,
  ExtensionHost,
  FIRST_ACCOUNT,
  registerGraphInterface,
  SERVER_OPTIONS,
  type TokenAuthenticator,
} from "@trefoil/graph-http";
import { openGraphStore } from "@trefoil/graph-store";
import { createHttpServer } from "@trefoil/http";
import {
  addInitialCredentials,
  certificateAuthorityFile,
  findFile,
  lockDirectory,
  writePrivateFile,
} from "@trefoil/installation";
import {
  closeAll,
  listenersOf,
  type RunningServer,
  ServerCertificates,
  type ServerContext,
} from "@trefoil/server-process";
import { consoleDirectory } from "@trefoil/console";
import { createTokenValidator } from "@trefoil/token-validation";
import path from "node:path";
import { openAccessLog } from "./access-log.ts";
import { javaOptions } from "./java-options.ts";
import { ownerCheck } from "./owner-check.ts";

/**
 * The graph database over HTTP, put together: lock, store, engine, accounts, interface, listeners.
 *
 * @throws StartError when the folder is locked, the store is not ours, or a port is taken
 */
export async function startGraphServer(options: ServerContext): Promise<RunningServer> {
  const { configuration, logger } = options;
  const clock = systemClock;
  const directory = configuration.get("graph.database.location");
  const lock = await lockDirectory(directory, "graph");
  const undo: (() => Promise<void>)[] = [() => lock.release()];
  try {
    const mode = languageMode(configuration.get("cypher.version"));
    logger.info({ mode, directory }, `statements are in the ${mode} language unless they say otherwise`);
    const store = await openGraphStore({
      directory,
      clock,
      lockTimeoutMs: configuration.get("graph.lock_timeout"),
      transactionMemoryBytes: configuration.get("graph.memory.transaction"),
      // At commit the server's setting decides the code, not a statement's prefix (rulings, Graph 2).
      connectedNodeCode:
        mode === "2.3" ? "DatabaseError.Transaction.CouldNotCommit" : "ClientError.Schema.ConstraintViolation",
    });
    undo.unshift(() => store.close());
    const accounts = configuration.get("graph.auth_enabled") ? await openAccounts(options) : undefined;
    if (accounts === undefined) {
      logger.warn("authentication is off (graph.auth_enabled): everyone on this machine has the whole database");
    }
    const engine = createEngine({
      store,
      clock,
      mode,
      limits: { statementMemoryBytes: configuration.get("graph.memory.statement") },
      loadCsv: { urls: configuration.get("graph.load_csv.urls"), root: configuration.get("graph.load_csv.root") },
    });
    const certificates = await ServerCertificates.open(options);
    let isComplete = false;
    undo.unshift(() => Promise.resolve(certificates.close()));
    const http = createHttpServer({
      name: "graph",
      // Not before the interface is there: nothing listens earlier.
      direct: { find: (request) => graph.direct.find(request) },
      logger,
      ...listenersOf(configuration, "graph", certificates.current),
      maxHeaderBytes: configuration.get("graph.http.max_header_bytes"),
      bodyLimitBytes: configuration.get("graph.http.max_body_bytes"),
      // Statements may take as long as they take; only what a client sends is bounded in time.
      requestTimeoutMs: 0,
      metricsGuard: async (request) =>
        mayReadMetrics((await graph.authenticator?.authenticate(request.headers.authorization))?.account),
      fastifyOptions: SERVER_OPTIONS,
      isReady: () => isComplete,
    });
    const statementTimeoutMs = configuration.get("graph.statement_timeout") || undefined;
    const extensions = new ExtensionHost({
      store,
      engine,
      mode,
      statementTimeoutMs,
      directory: configuration.get("graph.plugins.directory"),
      mounts: configuration.extensionMounts,
      log: http.app.log,
      jaxrs: { ...javaOptions(), databaseUrl: () => listening.url },
    });
    const listening: { url?: string | undefined } = {};
    undo.unshift(() => Promise.resolve(extensions.close()));
    const accessLog = configuration.get("graph.http.log.enabled") ? await openAccessLog(options) : undefined;
    if (accessLog !== undefined) {
      undo.unshift(() => accessLog.close());
    }
    const graph = registerGraphInterface(http.app, {
      store,
      engine,
      clock,
      accounts,
      tokenAuthenticator: await openTokenAuthenticator(options),
      allowedHosts: configuration.get("graph.allowed_hosts").map((host) => host.toLowerCase()),
      mode,
      statementTimeoutMs,
      statusCodePrefix: configuration.get("graph.status_code_prefix"),
      scripting: configuration.get("graph.scripting"),
      reportedVersion: configuration.get("graph.reported_version"),
      isolation: configuration.get("graph.isolation"),
      transactionTimeoutMs: configuration.get("graph.transaction_timeout"),
      maximumBodyBytes: configuration.get("graph.http.max_body_bytes"),
      extensions,
      consoleDirectory,
      writeAccessLog: accessLog?.write,
      management: {
        isOwner: ownerCheck(options.cliToken),
        importFiles: (files) => store.importCsv(files),
        maintenance: store,
      },
    });
    undo.unshift(async () => {
      graph.close();
      await http.close();
    });
    await extensions.load();
    const addresses = await http.listen();
    listening.url = addresses.find(({ protocol }) => protocol === "http")?.url;
    certificates.keepRenewed((certificate) => http.replaceCertificate(certificate));
    if (accounts !== undefined) {
      await tellFirstCredentials(options, accounts, addresses);
    }
    isComplete = true;
    return { addresses, close: () => closeAll(undo, "the graph server") };
  } catch (error) {
    await closeAll(undo, "the graph server");
    throw error;
  }
}

/** Everyone else's numbers are for administrators (rulings, Graph 6). */
function mayReadMetrics(account: Account | undefined): boolean {
  return account?.role === "admin" && !account.passwordChangeRequired;
}

/** `modern` and its numbers, or the language of the 2.3 server and its elders (rulings, Graph 1). */
function languageMode(version: string): Mode {
  return version === "modern" || version === "5" || version === "25" ? "modern" : "2.3";
}

function openAccounts({ configuration, dataDirectory }: ServerContext): Promise<AccountStore> {
  const file = path.join(dataDirectory, "graph-accounts.json");
  return AccountStore.open(
    { name: file, read: () => findFile(file), replace: (text) => writePrivateFile(file, text) },
    configuration.get("graph.initial_password"),
  );
}

/** Bearer tokens are accepted from a configured issuer only, for a configured audience. */
async function openTokenAuthenticator({
  configuration,
  dataDirectory,
}: ServerContext): Promise<TokenAuthenticator | undefined> {
  const issuer = configuration.get("graph.identity.issuer");
  const audience = configuration.get("graph.identity.audience");
  if (issuer === undefined) {
    return undefined;
  }
  if (audience === undefined) {
    throw new StartError("configuration", "graph.identity.issuer needs graph.identity.audience beside it");
  }
  const certificateAuthorityPem = await findFile(certificateAuthorityFile(dataDirectory));
  return createTokenAuthenticator(createTokenValidator({ issuer, audience, certificateAuthorityPem }));
}

/** The graph's part of `initial-credentials.json`; a later start leaves it as it is. */
async function tellFirstCredentials(
  { configuration, dataDirectory }: ServerContext,
  accounts: AccountStore,
  addresses: RunningServer["addresses"],
): Promise<void> {
  const [address] = addresses;
  const passwordChangeRequired = accounts.find(FIRST_ACCOUNT)?.passwordChangeRequired ?? false;
  await addInitialCredentials(dataDirectory, "graph", {
    endpoint: address === undefined ? "" : `${address.protocol}://localhost:${address.port}`,
    username: FIRST_ACCOUNT,
    password: configuration.get("graph.initial_password") ?? FIRST_ACCOUNT,
    passwordChangeRequired,
  });
}
