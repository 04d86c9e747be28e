export {
  certificateAuthorityFile,
  type CertificateNames,
  ensureLocalCertificates,
  type LocalCertificates,
} from "./certificates/local-certificates.ts";
export { makePrivateDirectory, openDataDirectory } from "./data-directory.ts";
export { type DirectoryLock, findDirectoryHolder, lockDirectory, lockServerDirectory } from "./locks/directory-lock.ts";
export { createPrivateFile, findFile, writePrivateFile } from "./private-file.ts";
export { CliToken, cliTokenFile, ensureCliToken } from "./secrets/cli-token.ts";
export {
  addInitialCredentials,
  forgetInitialSecrets,
  type InitialCredentials,
  initialCredentialsFile,
  readInitialCredentials,
} from "./secrets/initial-credentials.ts";
export { KeptSecretBox } from "./secrets/kept-secret-box.ts";
export {
  addSecretKey,
  dropOldSecretKeys,
  openSecretBox,
  SealedDataError,
  SecretBox,
  secretKeyFile,
} from "./secrets/secret-box.ts";
