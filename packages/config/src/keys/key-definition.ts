/** How a value is written and what it becomes. Durations become milliseconds, sizes bytes, paths absolute. */
export type ValueType =
  | "text"
  | "path"
  | "port"
  | "integer"
  | "switch"
  | "choice"
  | "duration"
  | "size"
  | "url"
  | "list";

/** Another name for a key, of the 2.x servers; `values` translates what is written there. */
export interface Alias {
  readonly name: string;
  readonly values?: Readonly<Record<string, string>>;
  /** The unit of a bare number there when it is not seconds. */
  readonly unit?: "ms";
}

/** One row of the table of keys. */
export interface KeyDefinition {
  readonly type: ValueType;
  /** As it would be written. Absent: the key has no value until it is set. */
  readonly default?: string;
  /** One or two sentences for docs/configuration.md. */
  readonly meaning: string;
  /** For `choice`. */
  readonly allowed?: readonly string[];
  /** For `integer`. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** For `path`: what a relative one is below. Default: the configuration file's folder, else the working directory. */
  readonly relativeTo?: "data";
  readonly aliases?: readonly Alias[];
  /** Never shown by `config show` and never repeated in an error. */
  readonly isSecret?: true;
  /** Named by the design, not served yet: `refuse` where ignoring it would be dangerous, `warn` where it is harmless. */
  readonly reserved?: "refuse" | "warn";
}

interface Types {
  text: string;
  path: string;
  port: number;
  integer: number;
  switch: boolean;
  duration: number;
  size: number;
  url: string;
  list: readonly string[];
}

type PresentValue<D extends KeyDefinition> = D["type"] extends keyof Types
  ? Types[D["type"]]
  : D extends { readonly allowed: readonly (infer Choice)[] }
    ? Choice
    : never;

/** The type of a key's value by its row: `undefined` is possible only where there is no default. */
export type ValueOf<D extends KeyDefinition> = D extends { readonly default: string }
  ? PresentValue<D>
  : PresentValue<D> | undefined;
