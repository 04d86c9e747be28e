export { createTokenAuthenticator } from "./authentication/token-authenticator.ts";
export { type Account, type AccountStorage, AccountStore, FIRST_ACCOUNT } from "./authentication/account-store.ts";
export {
  type Authentication,
  type Authenticator,
  type Refusal,
  type TokenAuthenticator,
} from "./authentication/authenticator.ts";
export { ExtensionHost, type ExtensionHostOptions, type LoadedExtension } from "./extensions/extension-host.ts";
export { type JaxrsOptions } from "./extensions/jaxrs/jaxrs-process.ts";
export {
  type ExtensionContext,
  type ExtensionField,
  type ExtensionFunction,
  type ExtensionHandler,
  type ExtensionModule,
  type ExtensionProcedure,
  type ExtensionRequest,
} from "./extensions/extension-module.ts";
export { type ExtensionDatabase, type ExtensionQuery, type ExtensionResult } from "./extensions/extension-database.ts";
export {
  type GraphInterface,
  type GraphInterfaceOptions,
  type InterfaceStore,
  type ManagementOptions,
  registerGraphInterface,
} from "./graph-interface.ts";
export { type JsonValue, parseJson } from "./json/json-reader.ts";
export { writeJson } from "./json/json-writer.ts";
export { type Role, ROLES } from "./authentication/roles.ts";
export { type ImportFiles } from "./management/management-routes.ts";
export { SERVER_OPTIONS } from "./protocol/server-options.ts";
export { type StatusCodePrefix } from "./status-codes.ts";
