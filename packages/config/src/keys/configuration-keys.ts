import { commonKeys } from "./common-keys.ts";
import { graphKeys } from "./graph-keys.ts";
import { identityKeys } from "./identity-keys.ts";
import type { KeyDefinition, ValueOf } from "./key-definition.ts";
import { objectsKeys } from "./objects-keys.ts";

type Table = typeof commonKeys & typeof identityKeys & typeof objectsKeys & typeof graphKeys;

/** A key of `trefoil.properties`. */
export type ConfigurationKey = keyof Table;
/** The value a key has, by its row in the table. */
export type ConfigurationValue<Key extends ConfigurationKey> = ValueOf<Table[Key]>;

/** Every key there is, in the order of the documentation. A new one is a row in one of the four tables. */
export const configurationKeys: Readonly<Record<ConfigurationKey, KeyDefinition>> = {
  ...commonKeys,
  ...identityKeys,
  ...objectsKeys,
  ...graphKeys,
};

/** What `graph.compatibility` sets (rulings, Graph 4). */
export const compatibilityGroups: Readonly<Record<string, Readonly<Partial<Record<ConfigurationKey, string>>>>> = {
  "2.3": {
    "cypher.version": "2.3",
    "graph.status_code_prefix": "Neo",
    "graph.scripting": "on",
    "graph.load_csv.urls": "any",
    "graph.allowed_hosts": "*",
    "graph.reported_version": "2.3.12",
  },
};

/** The environment variable that overrides a key: `graph.http.port` → `TREFOIL_GRAPH_HTTP_PORT`. */
export function environmentName(key: string): string {
  return `TREFOIL_${key.toUpperCase().replaceAll(/[.-]/g, "_")}`;
}
