import { autoIndexName, type LegacyConfig } from "@trefoil/graph-store";
import { type RestCall } from "../rest/rest-call.ts";
import { RestError } from "../rest/rest-error.ts";
import { type IndexKind } from "./index-kind.ts";

/** Makes the index where there is none; one that is there must have been made alike. @throws RestError 400 */
export function ensureIndex(call: RestCall, kind: IndexKind, name: string, given: LegacyConfig = {}): void {
  const { legacyIndexes } = call.unit.transaction;
  const provider = given["provider"] ?? "lucene";
  if (provider !== "lucene") {
    throw illegalArgument(
      `No index provider '${provider}' found. Maybe the intended provider (or one more of its dependencies) aren't on the classpath or it failed to load.`,
    );
  }
  const present = legacyIndexes.list(kind.entity).get(name);
  const wanted = completed(given);
  if (present === undefined) {
    legacyIndexes.create(kind.entity, name, wanted);
  } else if (Object.keys(given).length > 0 && !Object.entries(wanted).every(([key, value]) => present[key] === value)) {
    throw illegalArgument(
      `Supplied index configuration:\n${mapText(given)}\ndoesn't match stored config in a valid way:\n${mapText(present)}\nfor '${name}'`,
    );
  }
}

/** With what is assumed where nothing is said. */
function completed(given: LegacyConfig): LegacyConfig {
  const type = given["type"] ?? "exact";
  return { provider: "lucene", type, ...(type === "fulltext" ? { to_lower_case: "true" } : {}), ...given };
}

function mapText(config: LegacyConfig): string {
  const order = ["type", "to_lower_case", "provider"];
  const entries = Object.entries(config).sort(([left], [right]) => order.indexOf(left) - order.indexOf(right));
  return `{${entries.map(([key, value]) => `${key}=${value}`).join(", ")}}`;
}

/** The automatic index is filled by the database alone. @throws RestError 405 */
export function refuseReadOnly({ entity }: IndexKind, name: string): void {
  if (name === autoIndexName(entity)) {
    throw new RestError(405, [{ exception: "UnsupportedOperationException", message: "read only index" }]);
  }
}

/** Where there is nothing; the model server does not always say what. */
export function notFound(message: string | null): RestError {
  return new RestError(404, [{ exception: "UnknownNotFoundException", message }]);
}

export function illegalArgument(message: string): RestError {
  return new RestError(400, [{ exception: "IllegalArgumentException", message }]);
}
