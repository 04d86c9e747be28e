import { StartError, systemClock } from "@trefoil/base";
import { type Configuration, identityPublicUrl } from "@trefoil/config";
import { type DatabaseLocation } from "@trefoil/database";
import { createHttpServer, type ListeningAddress, type Logger } from "@trefoil/http";
import { type IdentityProvider, openIdentityProvider } from "@trefoil/identity";
import { KeptSecretBox, lockServerDirectory } from "@trefoil/installation";
import {
  closeAll,
  listenersOf,
  type RunningServer,
  ServerCertificates,
  type ServerContext,
} from "@trefoil/server-process";
import path from "node:path";
import { makeFirstTenant } from "./first-start.ts";
import { createManagementGuard } from "./management-guard.ts";
import { createTransportGuard } from "./transport-guard.ts";

const ACCESS_TOKEN_SECONDS = 3600;
/** Inactivity after which a sign-in ends. (reference §5.3) */
const REFRESH_TOKEN_SECONDS = 90 * 24 * 3600;
const SWEEP_INTERVAL_MS = 3_600_000;
const FIRST_SWEEP_MS = 60_000;

/**
 * The identity provider as a server, put together: lock, certificate, database, listeners, first tenant.
 *
 * @throws StartError when the folder is locked, the database isn't ours, or a port is taken
 */
export async function startIdentityServer(context: ServerContext): Promise<RunningServer> {
  const { configuration, dataDirectory, logger } = context;
  const lock = await lockServerDirectory(dataDirectory, "identity");
  const undo: (() => Promise<void>)[] = [() => lock.release()];
  try {
    const settings = new ServerSettings(configuration);
    const secrets = await KeptSecretBox.open(dataDirectory);
    const provider = await openIdentityProvider({
      database: databaseLocation(configuration, dataDirectory),
      secrets,
      sealingKeyFile: secrets,
      clock: systemClock,
      settings,
      signingKeyMaxAgeMs: signingKeyMaxAgeMs(configuration),
      passwordCost: {
        memoryKib: configuration.get("identity.password.memory_kib"),
        iterations: configuration.get("identity.password.iterations"),
      },
      passwordsAtOnce: configuration.get("identity.password.at_once"),
    });
    undo.unshift(() => provider.close());
    let isComplete = false;
    const certificates = await ServerCertificates.open({ configuration, dataDirectory, logger });
    const http = createHttpServer({
      name: "identity",
      logger,
      direct: provider.direct(logger),
      ...listenersOf(configuration, "identity", certificates.current),
      fastifyOptions: provider.fastifyOptions,
      isReady: () => isComplete,
    });
    provider.register(http.app, {
      isAdministrator: createManagementGuard(context.cliToken),
      isSecure: createTransportGuard(settings),
    });
    const addresses = await http.listen();
    certificates.keepRenewed((certificate) => http.replaceCertificate(certificate));
    const stopSweeping = sweepNowAndThen(provider, logger);
    undo.unshift(async () => {
      stopSweeping();
      certificates.close();
      await http.close();
    });
    settings.nowListening(addresses);
    await makeFirstTenant(provider, dataDirectory);
    isComplete = true;
    return { addresses, close: () => closeAll(undo, "the identity provider") };
  } catch (error) {
    await closeAll(undo, "the identity provider");
    throw error;
  }
}

/** What the configuration says, completed by the ports that the system chose where it says 0. */
class ServerSettings {
  readonly codePrefix: string;
  readonly accessTokenSeconds = ACCESS_TOKEN_SECONDS;
  readonly refreshTokenSeconds = REFRESH_TOKEN_SECONDS;
  readonly origins = new Set<string>();
  readonly auditRetentionDays: number;
  readonly metadataIdentity: string | undefined;
  readonly privateFederationHosts: ReadonlySet<string>;
  readonly sessionSameSite: "lax" | "none";
  publicUrl: string;
  readonly #isPortChosen: boolean;

  constructor(configuration: Configuration) {
    this.codePrefix = configuration.get("identity.error_code_prefix");
    this.publicUrl = identityPublicUrl(configuration);
    this.auditRetentionDays = configuration.get("identity.audit.retention_days");
    this.metadataIdentity = metadataIdentity(configuration);
    this.sessionSameSite = configuration.get("identity.session.same_site");
    this.privateFederationHosts = new Set(
      configuration.get("identity.federation.private_hosts").map((host) => host.toLowerCase()),
    );
    this.#isPortChosen =
      configuration.get("identity.public_url") === undefined && configuration.get("identity.https.port") === 0;
  }

  nowListening(addresses: readonly ListeningAddress[]): void {
    const https = addresses.find((each) => each.protocol === "https");
    if (this.#isPortChosen && https !== undefined) {
      this.publicUrl = `https://localhost:${https.port}`;
    }
    this.origins.add(new URL(this.publicUrl).origin);
    for (const { protocol, port, url } of addresses) {
      this.origins.add(new URL(url).origin);
      this.origins.add(new URL(`${protocol}://localhost:${port}`).origin);
    }
  }
}

/** @throws StartError when the endpoint is on and nobody said whose tokens it gives */
function metadataIdentity(configuration: Configuration): string | undefined {
  if (!configuration.get("identity.metadata_endpoint.enabled")) {
    return undefined;
  }
  const name = configuration.get("identity.metadata_endpoint.identity");
  if (name === undefined) {
    throw new StartError(
      "configuration",
      "identity.metadata_endpoint.enabled needs identity.metadata_endpoint.identity: the managed identity it serves",
    );
  }
  return name;
}

const DAY_MS = 24 * 3_600_000;

function signingKeyMaxAgeMs(configuration: Configuration): number | undefined {
  const days = configuration.get("identity.signing_key.rotation_days");
  return days === 0 ? undefined : days * DAY_MS;
}

function databaseLocation(configuration: Configuration, dataDirectory: string): DatabaseLocation {
  const url = configuration.get("identity.database.url");
  return url === undefined ? { file: path.join(dataDirectory, "identity", "identity.db") } : { url };
}

function sweepNowAndThen(provider: IdentityProvider, logger: Logger): () => void {
  const sweep = (): void => {
    provider.sweep().catch((error: unknown) => logger.error({ err: error }, "expired grants could not be removed"));
  };
  // Soon after the start as well: a machine that runs for an hour a day is swept too.
  const first = setTimeout(sweep, FIRST_SWEEP_MS).unref();
  const timer = setInterval(sweep, SWEEP_INTERVAL_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
