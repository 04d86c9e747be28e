import { StorageError } from "../errors/storage-error.ts";

/** The object of a management request's JSON body; anything else has no fields. */
export function recordOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
}

const LENGTH_LIMIT = 1024;

/** @throws StorageError `InvalidInput` for something else than a text of reasonable length */
export function optionalText(record: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = record[name];
  if (value === undefined) {
    return undefined;
  }
  if (typeof value !== "string" || value === "" || value.length > LENGTH_LIMIT) {
    throw new StorageError("InvalidInput", { detail: `${name} is not a text` });
  }
  return value;
}

/** @throws StorageError `InvalidInput` when it isn't there */
export function requiredText(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = optionalText(record, name);
  if (value === undefined) {
    throw new StorageError("InvalidInput", { detail: `${name} is missing` });
  }
  return value;
}
