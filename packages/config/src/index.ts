export { Configuration, type ConfigurationEntry, identityPublicUrl } from "./configuration.ts";
export { renderConfigurationDocumentation } from "./documentation.ts";
export { type ExtensionMount } from "./extension-mounts.ts";
export {
  type ConfigurationKey,
  configurationKeys,
  type ConfigurationValue,
  environmentName,
} from "./keys/configuration-keys.ts";
export { configurationFileName, type LoadConfiguration, loadConfiguration } from "./load-configuration.ts";
export {
  decodeProperties,
  parseProperties,
  PropertiesSyntaxError,
  type Property,
} from "./properties/parse-properties.ts";
export { parseSize } from "./values/parse-value.ts";
