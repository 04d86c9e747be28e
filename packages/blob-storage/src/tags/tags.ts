import { StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "../request/request-headers.ts";

/** Name → value. */
export type Tags = Readonly<Record<string, string>>;

const TAG_LIMIT = 10;
const NAME_CHARACTERS = 128;
const VALUE_CHARACTERS = 256;
const ALLOWED = /^[A-Za-z0-9 +\-./:=_]*$/u;

/**
 * Makes tags of name-value pairs (storage §14).
 *
 * @throws StorageError `TagsTooLarge`, `EmptyTagName`, `DuplicateTagNames` or `InvalidTag`
 */
export function checkTags(pairs: readonly (readonly [name: string, value: string])[]): Tags {
  if (pairs.length > TAG_LIMIT) {
    throw new StorageError("TagsTooLarge");
  }
  for (const [name, value] of pairs) {
    if (name === "") {
      throw new StorageError("EmptyTagName");
    }
    if (name.length > NAME_CHARACTERS || value.length > VALUE_CHARACTERS) {
      throw new StorageError("TagsTooLarge");
    }
    if (!ALLOWED.test(name) || !ALLOWED.test(value)) {
      throw new StorageError("InvalidTag");
    }
  }
  const tags = Object.fromEntries(pairs);
  if (Object.keys(tags).length < pairs.length) {
    throw new StorageError("DuplicateTagNames");
  }
  return tags;
}

/** `~tags` of an upload, encoded like a query, as the JSON that the row keeps; null without any. */
export function readTagsHeader(headers: RequestHeaders): string | null {
  const text = headers.findOwn("tags");
  if (text === undefined || text === "") {
    return null;
  }
  const pairs = [...new URLSearchParams(text)].map(([name, value]): [string, string] => [name, value]);
  return tagsJson(checkTags(pairs));
}

export function tagsJson(tags: Tags): string | null {
  return Object.keys(tags).length === 0 ? null : JSON.stringify(tags);
}

export function parseTags(json: string | null): Tags {
  return json === null ? {} : (JSON.parse(json) as Tags);
}
