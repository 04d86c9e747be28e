import { type Clock } from "@trefoil/base";
import { type ForeignHosts } from "./copies/foreign-source.ts";
import { type Logger } from "@trefoil/http";
import { type ValidateToken } from "./bearer/authenticate-bearer.ts";
import { AccountDirectory, type SecretBox } from "./accounts/account-directory.ts";
import { type ChecksumMaker, checksumsInProcess } from "./checksums/checksum-maker.ts";
import { Collector } from "./extents/collector.ts";
import { type ExtentStore } from "./extents/extent-store.ts";
import { FreeSpace, type FreeSpaceOptions } from "./extents/free-space.ts";
import { RunningReads } from "./extents/running-reads.ts";
import { type Metadata } from "./metadata/metadata.ts";
import { BlobService } from "./service.ts";
import { Scrubber, type ScrubberOptions } from "./scrubbing/scrubber.ts";
import { type Services } from "./services.ts";

export interface BlobServiceOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metadata: Metadata;
  readonly extents: ExtentStore;
  /** Default: made in the thread of the caller. */
  readonly checksums?: ChecksumMaker | undefined;
  readonly secrets: SecretBox;
  /** Whether the development account is served, to this machine. */
  readonly developmentAccount?: boolean | undefined;
  /** The quota of new accounts; default: none. */
  readonly accountQuotaBytes?: number | undefined;
  /** Host names below which the first label is an account. */
  readonly hostSuffixes: readonly string[];
  readonly foreignHosts: ForeignHosts;
  readonly validateToken: ValidateToken;
  /** `WWW-Authenticate` for callers without credentials. */
  readonly challenge: string;
  /** See FreeSpaceOptions. */
  readonly freeSpace: Pick<FreeSpaceOptions, "measure" | "minimumBytes">;
  /** See ScrubberOptions. */
  readonly scrubbing: Pick<ScrubberOptions, "bytesPerSecond" | "intervalMs" | "wait">;
}

/** The parts of a running blob service. */
export interface BlobServiceParts {
  readonly service: BlobService;
  readonly accounts: AccountDirectory;
  readonly metadata: Metadata;
  readonly extents: ExtentStore;
  readonly collector: Collector;
  readonly scrubber: Scrubber;
  close(): Promise<void>;
}

/** Wires the blob service: a literal list of its parts and what each receives. */
export function createBlobService(options: BlobServiceOptions): BlobServiceParts {
  const { clock, logger, metadata, extents, challenge, hostSuffixes, validateToken } = options;
  const checksums = options.checksums ?? checksumsInProcess;
  const reads = new RunningReads();
  const accounts = new AccountDirectory(metadata, options.secrets, options);
  const services: Services = {
    clock,
    logger,
    metadata,
    checksums,
    extents,
    freeSpace: new FreeSpace({ clock, ...options.freeSpace }),
    reads,
    accounts,
    hostSuffixes,
    foreignHosts: options.foreignHosts,
    validateToken,
    challenge,
  };
  const collector = new Collector({ clock, metadata, extents, reads, logger });
  const scrubber = new Scrubber({ clock, metadata, extents, logger, ...options.scrubbing });
  return {
    service: new BlobService(services),
    accounts,
    metadata,
    extents,
    collector,
    scrubber,
    close: async () => {
      await scrubber.stop();
      await collector.stop();
      await metadata.close();
      await extents.close();
      await checksums.close();
    },
  };
}
