import type { ExtensionMount } from "./extension-mounts.ts";
import { type ConfigurationKey, configurationKeys, type ConfigurationValue } from "./keys/configuration-keys.ts";
import type { ParsedValue } from "./values/parse-value.ts";

/** A key's value and where it came from: `default`, `trefoil.properties:12`, `TREFOIL_LOG_LEVEL`, … */
export interface ConfigurationEntry {
  readonly value: ParsedValue | undefined;
  readonly origin: string;
}

export interface ConfigurationContent {
  readonly entries: ReadonlyMap<ConfigurationKey, ConfigurationEntry>;
  readonly extensionMounts: readonly ExtensionMount[];
  readonly warnings: readonly string[];
  readonly file: string | undefined;
}

/** What the servers are told: every key with its value, checked. */
export class Configuration {
  readonly #entries: ReadonlyMap<ConfigurationKey, ConfigurationEntry>;
  /** Packages of extensions for the graph and where they answer. */
  readonly extensionMounts: readonly ExtensionMount[];
  /** For the log, in the order of the file: unknown keys, settings without effect, repeated keys. */
  readonly warnings: readonly string[];
  /** The file that was read, as an absolute path. */
  readonly file: string | undefined;

  constructor(content: ConfigurationContent) {
    this.#entries = content.entries;
    this.extensionMounts = content.extensionMounts;
    this.warnings = content.warnings;
    this.file = content.file;
  }

  /** A key's value: durations in milliseconds, sizes in bytes, paths absolute. */
  get<Key extends ConfigurationKey>(key: Key): ConfigurationValue<Key> {
    // The loader parsed every value by the same row of the table that gives the type.
    return this.#entries.get(key)?.value as ConfigurationValue<Key>;
  }

  /** Where a key's value came from. */
  originOf(key: ConfigurationKey): string {
    return this.#entries.get(key)?.origin ?? "default";
  }

  /** Every key for showing: secrets are replaced by `(set)`. */
  describe(): readonly { readonly key: string; readonly value: string; readonly origin: string }[] {
    return [...this.#entries].map(([key, { value, origin }]) => ({
      key,
      value: configurationKeys[key].isSecret && value !== undefined ? "(set)" : String(value ?? ""),
      origin,
    }));
  }
}

/** The origin that issuers name, without a final slash: `identity.public_url`, else https on this machine. */
export function identityPublicUrl(configuration: Configuration): string {
  const given = configuration.get("identity.public_url");
  const port = configuration.get("identity.https.port");
  return (given ?? `https://localhost${port === 443 ? "" : `:${port}`}`).replace(/\/+$/, "");
}
