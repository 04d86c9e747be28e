import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ManualClock } from "@trefoil/base";
import { createHttpServer, createLogger, type ServerCertificate } from "@trefoil/http";
import { TokenRefusedError, type TokenValidator } from "@trefoil/token-validation";
import { type BlobServiceOptions, type BlobServiceParts, createBlobService } from "../create-blob-service.ts";
import { type FileSystem } from "../extents/file-system.ts";
import { type ChecksumMaker } from "../checksums/checksum-maker.ts";
import { FileExtentStore } from "../extents/file-extent-store.ts";
import { nodeFileSystem } from "../extents/node-file-system.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { openMetadata } from "../metadata/open-metadata.ts";
import {
  blobServiceFastifyOptions,
  directBlobService,
  registerBlobService,
  renderClientError,
} from "../register-blob-service.ts";
import { plainSecrets } from "./plain-secrets.ts";
import { TestClient } from "./test-client.ts";

export const testAccount = "devstoreaccount1";
export const testKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

export interface TestService {
  readonly url: string;
  readonly directory: string;
  readonly clock: ManualClock;
  readonly parts: BlobServiceParts;
  readonly metadata: Metadata;
  readonly client: TestClient;
  /** Stops the server; its folder stays. */
  stop(): Promise<void>;
  /** Stops the server and removes its folder. */
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /** An existing folder, to start again on what a stopped service left. */
  readonly directory?: string;
  readonly fileSystem?: FileSystem;
  /** Default: made in this thread. */
  readonly checksums?: ChecksumMaker;
  readonly developmentAccount?: boolean;
  /** Default: a disk without end. */
  readonly freeSpace?: BlobServiceOptions["freeSpace"];
  /** Default: no token is believed. */
  readonly validateToken?: TokenValidator["validate"];
  /** Default: none. */
  readonly foreignHosts?: BlobServiceOptions["foreignHosts"];
  /** See HttpServerOptions; default: none. */
  readonly idleTimeoutMs?: number;
  /** Serves https in place of http. */
  readonly certificate?: ServerCertificate;
}

/** The blob service with one account, on a port of its own, with a clock that stands still. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const directory = options.directory ?? (await mkdtemp(path.join(tmpdir(), "trefoil-objects-")));
  const extentDirectory = path.join(directory, "extents");
  await mkdir(extentDirectory, { recursive: true });
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));
  const logger = createLogger({ name: "objects", level: "fatal", pretty: false });
  const metadata = await openMetadata({ file: path.join(directory, "objects.db"), clock, writer: "in-process" });
  const fileSystem = options.fileSystem ?? nodeFileSystem;
  const parts = createBlobService({
    clock,
    logger,
    metadata,
    checksums: options.checksums,
    extents: new FileExtentStore({ directory: extentDirectory, fileSystem, nowMs: Date.now() }),
    secrets: plainSecrets,
    developmentAccount: options.developmentAccount,
    hostSuffixes: ["blob.localhost", "localhost"],
    foreignHosts: options.foreignHosts ?? { allowed: [] },
    validateToken:
      options.validateToken ?? (() => Promise.reject(new TokenRefusedError("malformed", "no tokens here"))),
    freeSpace: { minimumBytes: 0, measure: () => Promise.resolve(Number.MAX_SAFE_INTEGER), ...options.freeSpace },
    scrubbing: { bytesPerSecond: 1024 * 1024, intervalMs: 3_600_000, wait: () => Promise.resolve() },
    challenge: "Bearer authorization_uri=https://localhost:8443/common/oauth2/authorize",
  });
  if (parts.accounts.find(testAccount) === undefined) {
    await parts.accounts.create(testAccount, [testKey]);
  }
  const server = createHttpServer({
    name: "objects",
    logger,
    ...(options.certificate === undefined
      ? { http: { addresses: ["127.0.0.1"], port: 0 } }
      : { https: { addresses: ["127.0.0.1"], port: 0, certificate: options.certificate } }),
    requestTimeoutMs: 0,
    idleTimeoutMs: options.idleTimeoutMs,
    renderClientError,
    direct: directBlobService(parts.service),
    fastifyOptions: blobServiceFastifyOptions(parts.service),
    closeGraceMs: 200,
  });
  registerBlobService(server.app, parts.service);
  const [address] = await server.listen();
  const url = address?.url ?? "";
  const stop = async (): Promise<void> => {
    await server.close();
    await parts.close();
  };
  return {
    url,
    directory,
    clock,
    parts,
    metadata,
    client: new TestClient({ url, account: testAccount, key: testKey, clock }),
    stop,
    close: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
