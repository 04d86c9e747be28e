import { type Clock } from "@trefoil/base";
import { type ForeignHosts } from "./copies/foreign-source.ts";
import { type Logger } from "@trefoil/http";
import { type ValidateToken } from "./bearer/authenticate-bearer.ts";
import { type AccountDirectory } from "./accounts/account-directory.ts";
import { type ChecksumMaker } from "./checksums/checksum-maker.ts";
import { type ExtentStore } from "./extents/extent-store.ts";
import { type FreeSpace } from "./extents/free-space.ts";
import { type RunningReads } from "./extents/running-reads.ts";
import { type Metadata } from "./metadata/metadata.ts";

/** What operations work with; made once in create-blob-service.ts. */
export interface Services {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metadata: Metadata;
  readonly checksums: ChecksumMaker;
  readonly extents: ExtentStore;
  readonly freeSpace: FreeSpace;
  readonly reads: RunningReads;
  readonly accounts: AccountDirectory;
  /** Host names below which the first label is an account. */
  readonly hostSuffixes: readonly string[];
  readonly foreignHosts: ForeignHosts;
  readonly validateToken: ValidateToken;
  /** `WWW-Authenticate` for callers without credentials. */
  readonly challenge: string;
}
