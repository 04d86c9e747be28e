import { must, StartError } from "@trefoil/base";
import { distance } from "fastest-levenshtein";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Configuration, type ConfigurationEntry } from "./configuration.ts";
import {
  type ExtensionMount,
  isSingularMistake,
  mountsExtensions,
  mountsExtensionsByEnvironment,
  parseExtensionMounts,
} from "./extension-mounts.ts";
import {
  compatibilityGroups,
  type ConfigurationKey,
  configurationKeys,
  environmentName,
} from "./keys/configuration-keys.ts";
import type { Alias } from "./keys/key-definition.ts";
import { findReasonWithoutEffect } from "./keys/without-effect.ts";
import {
  decodeProperties,
  parseProperties,
  PropertiesSyntaxError,
  type Property,
} from "./properties/parse-properties.ts";
import { BadValue, parseValue } from "./values/parse-value.ts";

export interface LoadConfiguration {
  /** The configuration file; it must exist. Default: `trefoil.properties` in the working directory, if there is one. */
  readonly file?: string | undefined;
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Values that win over everything, from the command line. */
  readonly overrides?: Readonly<Partial<Record<ConfigurationKey, string>>> | undefined;
}

/** The default name in the working directory. */
export const configurationFileName = "trefoil.properties";

/**
 * The configuration from, in rising order: defaults, the group of `graph.compatibility`, the file, the environment,
 * the command line.
 *
 * @throws StartError "configuration" naming key, value, place and what is allowed
 */
export async function loadConfiguration(options: LoadConfiguration): Promise<Configuration> {
  const file = await readConfigurationFile(options);
  const warnings: string[] = [];
  const mounts: ExtensionMount[] = [];
  const written = new Map<ConfigurationKey, WrittenValue>();

  for (const property of file?.properties ?? []) {
    readProperty(property, must(file, "its properties are being read"), { written, mounts, warnings });
  }
  readEnvironment(options, written, mounts);
  for (const [key, text] of Object.entries(options.overrides ?? {})) {
    written.set(key as ConfigurationKey, {
      text,
      origin: "command line",
      baseDirectory: options.workingDirectory,
    });
  }
  for (const [key, { reserved }] of Object.entries(configurationKeys)) {
    const value = written.get(key as ConfigurationKey);
    if (reserved !== undefined && value !== undefined) {
      const message = `${key} (${value.origin}) is not supported by this version`;
      if (reserved === "refuse") {
        throw new StartError("configuration", message);
      }
      warnings.push(`${message} and has no effect`);
    }
  }
  return new Configuration({
    entries: resolve(written, options.workingDirectory),
    extensionMounts: mounts,
    warnings,
    file: file?.path,
  });
}

interface ConfigurationFile {
  readonly path: string;
  readonly properties: readonly Property[];
}

interface WrittenValue {
  readonly text: string;
  readonly origin: string;
  readonly baseDirectory: string;
}

interface Reading {
  readonly written: Map<ConfigurationKey, WrittenValue>;
  readonly mounts: ExtensionMount[];
  readonly warnings: string[];
}

async function readConfigurationFile(options: LoadConfiguration): Promise<ConfigurationFile | undefined> {
  const file = path.resolve(options.workingDirectory, options.file ?? configurationFileName);
  try {
    return { path: file, properties: parseProperties(decodeProperties(await readFile(file))) };
  } catch (error) {
    if (error instanceof PropertiesSyntaxError) {
      throw new StartError("configuration", `${file}:${error.line}: ${error.message}`, { cause: error });
    }
    if (options.file === undefined && (error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    const reason = (error as Error).message;
    throw new StartError("configuration", `the configuration file ${file} cannot be read: ${reason}`, { cause: error });
  }
}

function readProperty({ key, value, line }: Property, file: ConfigurationFile, reading: Reading): void {
  const origin = `${path.basename(file.path)}:${line}`;
  if (mountsExtensions(key)) {
    reading.mounts.push(...parseExtensionMounts(key, value, origin));
    return;
  }
  const target = findTarget(key);
  if (target === undefined) {
    reading.warnings.push(`${origin}: ${explainUnknown(key)}`);
    return;
  }
  const earlier = reading.written.get(target.key);
  if (earlier !== undefined) {
    reading.warnings.push(`${origin}: ${target.key} is set already at ${earlier.origin}; the later value holds`);
  }
  const text = target.alias === undefined ? value : translate(value.trim(), target.alias);
  const origins = target.alias === undefined ? origin : `${origin}, as ${key}`;
  reading.written.set(target.key, { text, origin: origins, baseDirectory: path.dirname(file.path) });
}

function readEnvironment(
  { environment, workingDirectory }: LoadConfiguration,
  written: Map<ConfigurationKey, WrittenValue>,
  mounts: ExtensionMount[],
): void {
  for (const key of Object.keys(configurationKeys) as ConfigurationKey[]) {
    const name = environmentName(key);
    const text = environment[name];
    // An empty variable is one that a start script left out.
    if (text !== undefined && text !== "") {
      written.set(key, { text, origin: name, baseDirectory: workingDirectory });
    }
  }
  for (const [name, text] of Object.entries(environment)) {
    if (text !== undefined && mountsExtensionsByEnvironment(name)) {
      mounts.push(...parseExtensionMounts(name, text, "environment"));
    }
  }
}

const aliases: ReadonlyMap<string, { readonly key: ConfigurationKey; readonly alias: Alias }> = new Map(
  (Object.keys(configurationKeys) as ConfigurationKey[]).flatMap((key) =>
    (configurationKeys[key].aliases ?? []).map((alias) => [alias.name, { key, alias }] as const),
  ),
);

function findTarget(name: string): { readonly key: ConfigurationKey; readonly alias?: Alias } | undefined {
  return Object.hasOwn(configurationKeys, name) ? { key: name as ConfigurationKey } : aliases.get(name);
}

function translate(text: string, { values, unit }: Alias): string {
  return values?.[text.toLowerCase()] ?? (unit !== undefined && /^\d+$/.test(text) ? `${text}${unit}` : text);
}

function explainUnknown(key: string): string {
  if (isSingularMistake(key)) {
    return `${key} has no effect: the name ends in the plural, ${key}es`;
  }
  const reason = findReasonWithoutEffect(key);
  if (reason !== undefined) {
    return `${key} has no effect here: ${reason}`;
  }
  const known = [...Object.keys(configurationKeys), ...aliases.keys()];
  const [nearest] = known.toSorted((a, b) => distance(key, a) - distance(key, b));
  return `unknown key ${key}; the nearest known one is ${nearest}`;
}

/** Every key of the table with its value. */
function resolve(
  written: ReadonlyMap<ConfigurationKey, WrittenValue>,
  workingDirectory: string,
): ReadonlyMap<ConfigurationKey, ConfigurationEntry> {
  const compatibility = written.get("graph.compatibility");
  const group = compatibilityGroups[compatibility?.text.trim() ?? ""] ?? {};
  const entries = new Map<ConfigurationKey, ConfigurationEntry>();
  for (const key of Object.keys(configurationKeys) as ConfigurationKey[]) {
    const definition = configurationKeys[key];
    const grouped = group[key];
    const value =
      written.get(key) ??
      (grouped === undefined
        ? { text: definition.default, origin: "default", baseDirectory: workingDirectory }
        : { text: grouped, origin: "graph.compatibility", baseDirectory: workingDirectory });
    if (value.text === undefined) {
      entries.set(key, { value: undefined, origin: value.origin });
      continue;
    }
    // `data.directory` is the first row of the table: it is known when others lie below it.
    const below = definition.relativeTo === "data" ? String(entries.get("data.directory")?.value) : value.baseDirectory;
    try {
      entries.set(key, { value: parseValue(definition, value.text, below), origin: value.origin });
    } catch (error) {
      if (error instanceof BadValue) {
        const shown = definition.isSecret ? "" : ` = ${JSON.stringify(value.text)}`;
        throw new StartError("configuration", `${key}${shown} (${value.origin}) is not allowed: ${error.allowed}`);
      }
      throw error;
    }
  }
  return entries;
}
