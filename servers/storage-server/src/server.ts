import { mkdir, statfs } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "@trefoil/base";
import {
  blobServiceFastifyOptions,
  directBlobService,
  type BlobService,
  type BlobServiceParts,
  connectionString,
  createBlobService,
  DEVELOPMENT_ACCOUNT,
  FileExtentStore,
  nodeFileSystem,
  openMetadata,
  registerBlobService,
  registerManagement,
  renderClientError,
  ThreadChecksums,
} from "@trefoil/blob-storage";
import { type Configuration } from "@trefoil/config";
import { createHttpServer, type HttpServer, type ListeningAddress, type Logger } from "@trefoil/http";
import { addInitialCredentials, type CliToken, KeptSecretBox, lockServerDirectory } from "@trefoil/installation";
import { closeAll, listenersOf, ServerCertificates } from "@trefoil/server-process";
import { administratorCheck } from "./administrator-check.ts";
import { issuerOf, openTokenValidation, STORAGE_RESOURCE } from "./token-validation.ts";
import { startCollecting } from "./collecting.ts";
import { startScrubbing } from "./scrubbing.ts";
import { registerStorageMetrics } from "./storage-metrics.ts";

/** What the object store is started with. */
export interface StorageServerOptions {
  readonly configuration: Configuration;
  /** Absolute, made, and for this user only. */
  readonly dataDirectory: string;
  readonly logger: Logger;
  readonly cliToken: CliToken;
}

export interface RunningStorageServer {
  readonly addresses: readonly ListeningAddress[];
  close(): Promise<void>;
}

/** Clients of this kind expect to be told five seconds, or nothing (storage §19). */
const KEEP_ALIVE_MS = 5_000;
/** A transfer that stands still for this long is cut off; one that moves may take as long as it likes. */
const IDLE_TRANSFER_MS = 120_000;

/**
 * The object store, put together: lock, metadata, extents, accounts, certificates, listeners.
 *
 * @throws StartError when the folder is locked, the database is not ours, or a port is taken
 */
export async function startStorageServer(options: StorageServerOptions): Promise<RunningStorageServer> {
  const undo: (() => Promise<void>)[] = [];
  try {
    return await start(options, undo);
  } catch (error) {
    await closeAll(undo, "the object store");
    throw error;
  }
}

async function start(options: StorageServerOptions, undo: (() => Promise<void>)[]): Promise<RunningStorageServer> {
  const { configuration, dataDirectory, logger } = options;
  const lock = await lockServerDirectory(dataDirectory, "objects");
  undo.unshift(() => lock.release());
  const secrets = await KeptSecretBox.open(dataDirectory);
  const parts = await openParts(options, secrets);
  undo.unshift(() => parts.close());
  await ensureFirstAccount(parts);
  if (configuration.get("objects.development_account")) {
    await ensureDevelopmentAccount(parts, configuration, logger);
  }
  const certificates = await ServerCertificates.open({
    configuration,
    dataDirectory,
    logger,
    accounts: () => parts.accounts.list().map(({ name }) => name),
  });
  undo.unshift(() => Promise.resolve(certificates.close()));

  let isComplete = false;
  const server = createStorageHttpServer(options, parts.service, certificates, () => isComplete);
  let addresses: readonly ListeningAddress[] = [];
  registerManagement(server.app, {
    accounts: parts.accounts,
    metadata: parts.metadata,
    clock: systemClock,
    collector: parts.collector,
    extents: parts.extents,
    isAdministrator: administratorCheck(options.cliToken),
    endpoint: () => localEndpoint(addresses),
    onAccountCreated: () => certificates.refresh(),
    reloadSecrets: () => secrets.reload(),
  });
  registerStorageMetrics(server.metrics, parts);
  undo.unshift(() => server.close());
  certificates.keepRenewed((certificate) => server.replaceCertificate(certificate));
  addresses = await server.listen();
  const stopCollecting = startCollecting(parts.collector, logger);
  undo.unshift(() => Promise.resolve(stopCollecting()));
  const stopScrubbing = startScrubbing(parts.scrubber, logger);
  undo.unshift(() => Promise.resolve(stopScrubbing()));
  await tellFirstCredentials(options, parts, addresses);
  isComplete = true;
  return { addresses, close: () => closeAll(undo, "the object store") };
}

async function openParts(
  { configuration, dataDirectory, logger }: StorageServerOptions,
  secrets: KeptSecretBox,
): Promise<BlobServiceParts> {
  const directory = path.join(dataDirectory, "objects");
  const extentDirectory = path.join(directory, "extents");
  await mkdir(extentDirectory, { recursive: true, mode: 0o700 });
  const clock = systemClock;
  // Node 20 loads no TypeScript in a thread; from sources, in tests, all is done in this one (decisions/0031).
  const isFromSources = import.meta.url.endsWith(".ts");
  const metadata = await openMetadata({
    file: path.join(directory, "objects.db"),
    clock,
    writer: isFromSources ? "in-process" : "thread",
  });
  return createBlobService({
    clock,
    logger,
    metadata,
    checksums: isFromSources ? undefined : new ThreadChecksums(),
    extents: new FileExtentStore({ directory: extentDirectory, fileSystem: nodeFileSystem, nowMs: clock.now() }),
    secrets,
    developmentAccount: configuration.get("objects.development_account"),
    accountQuotaBytes: configuration.get("objects.account_quota"),
    foreignHosts: {
      allowed: configuration.get("objects.copy.allowed_hosts").map((host) => host.toLowerCase()),
    },
    hostSuffixes: ["blob.localhost", "localhost", ...configuration.get("objects.host_suffixes")],
    validateToken: await openTokenValidation(configuration, dataDirectory),
    freeSpace: {
      minimumBytes: configuration.get("objects.free_space"),
      measure: () => measureFreeSpace(extentDirectory),
    },
    scrubbing: {
      bytesPerSecond: configuration.get("objects.scrub.rate"),
      intervalMs: configuration.get("objects.scrub.interval"),
      wait: (ms) => wait(ms),
    },
    challenge: `Bearer authorization_uri=${issuerOf(configuration)}/common/oauth2/authorize resource_id=${STORAGE_RESOURCE}`,
  });
}

/** What an ordinary user may still write, in bytes. */
async function measureFreeSpace(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

function createStorageHttpServer(
  { configuration, logger }: StorageServerOptions,
  service: BlobService,
  certificates: ServerCertificates,
  isReady: () => boolean,
): HttpServer {
  const server = createHttpServer({
    name: "objects",
    logger,
    ...listenersOf(configuration, "objects", certificates.current),
    isReady,
    requestTimeoutMs: 0,
    idleTimeoutMs: IDLE_TRANSFER_MS,
    keepAliveTimeoutMs: KEEP_ALIVE_MS,
    renderClientError,
    direct: directBlobService(service),
    fastifyOptions: blobServiceFastifyOptions(service),
  });
  registerBlobService(server.app, service);
  return server;
}

/** The account of a first start. A store that has one already keeps what it has. */
async function ensureFirstAccount({ accounts }: BlobServiceParts): Promise<void> {
  if (accounts.list().length === 0) {
    await accounts.create(FIRST_ACCOUNT);
  }
}

const FIRST_ACCOUNT = "trefoil";

/** Where clients look for the development account, whatever they are told. */
const DEVELOPMENT_PORT = 10_000;

/** The account that `UseDevelopmentStorage=true` means; it keeps its blobs while the setting is off. */
async function ensureDevelopmentAccount(
  { accounts }: BlobServiceParts,
  configuration: Configuration,
  logger: Logger,
): Promise<void> {
  if (accounts.find(DEVELOPMENT_ACCOUNT) === undefined) {
    await accounts.create(DEVELOPMENT_ACCOUNT);
  }
  if (configuration.get("objects.http.port") !== DEVELOPMENT_PORT) {
    logger.warn(`clients look for the development account at port ${DEVELOPMENT_PORT}, which is not this server's`);
  }
}

/** The object store's part of `initial-credentials.json`; a later start leaves it as it is. */
async function tellFirstCredentials(
  { dataDirectory }: StorageServerOptions,
  { accounts }: BlobServiceParts,
  addresses: readonly ListeningAddress[],
): Promise<void> {
  const account = accounts.find(FIRST_ACCOUNT);
  if (account !== undefined) {
    const endpoint = `${localEndpoint(addresses)}/${account.name}`;
    const keys = account.keys.map((key) => key.reveal());
    await addInitialCredentials(dataDirectory, "objects", {
      endpoint,
      account: account.name,
      keys,
      connectionString: connectionString(account.name, keys[0] ?? "", endpoint),
    });
  }
}

/** The address to tell people: the http one when there is one. */
function localEndpoint(addresses: readonly ListeningAddress[]): string {
  const address = addresses.find(({ protocol }) => protocol === "http") ?? addresses[0];
  return address === undefined ? "" : `${address.protocol}://localhost:${address.port}`;
}
