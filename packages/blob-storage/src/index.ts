export { type Account } from "./accounts/account.ts";
export { type AccountDirectory, type SecretBox } from "./accounts/account-directory.ts";
export { DEVELOPMENT_ACCOUNT } from "./accounts/development-account.ts";
export { type TokenUse, type ValidateToken } from "./bearer/authenticate-bearer.ts";
export { ThreadChecksums } from "./checksums/thread-checksums.ts";
export { type BlobServiceOptions, type BlobServiceParts, createBlobService } from "./create-blob-service.ts";
export { type Collected, type Collector, type CollectorTotals } from "./extents/collector.ts";
export { type ExtentStore } from "./extents/extent-store.ts";
export { FileExtentStore } from "./extents/file-extent-store.ts";
export { nodeFileSystem } from "./extents/node-file-system.ts";
export { type Metadata } from "./metadata/metadata.ts";
export { openMetadata, type OpenMetadataOptions } from "./metadata/open-metadata.ts";
export {
  blobServiceFastifyOptions,
  directBlobService,
  registerBlobService,
  renderClientError,
} from "./register-blob-service.ts";
export { type BlobService } from "./service.ts";
export { type CheckReport, type Finding } from "./scrubbing/check-store.ts";
export { type Scrubber, type ScrubberTotals } from "./scrubbing/scrubber.ts";
export { connectionString, type ManagementOptions, registerManagement } from "./management/register-management.ts";
