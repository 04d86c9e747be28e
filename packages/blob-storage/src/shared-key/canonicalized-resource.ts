import { type Query } from "../request/query.ts";

export interface ResourceInput {
  readonly account: string;
  /** The path as sent, still percent-encoded; with path-style addresses it begins with the account again. */
  readonly path: string;
  readonly query: Query;
}

/**
 * `/account` and the path, then each query parameter as a line `name:value`, names in lower case and in order,
 * values decoded, several of one name in order and joined by commas.
 *
 * @param plusIsSpace  read `+` in a value as a space, as some clients sign it
 * @source identity-and-storage §5.6 (without a query), storage §3.4
 */
export function canonicalizeResource(input: ResourceInput, plusIsSpace: boolean): string {
  const resource = `/${input.account}${input.path === "" ? "/" : input.path}`;
  if (input.query.parameters.length === 0) {
    return resource;
  }
  const values = new Map<string, string[]>();
  for (const { name, value, rawValue } of input.query.parameters) {
    const decoded = plusIsSpace ? decodeURIComponent(rawValue.replaceAll("+", " ")) : value;
    values.set(name, [...(values.get(name) ?? []), decoded]);
  }
  const lines = [...values]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, list]) => `\n${name}:${list.toSorted().join(",")}`);
  return resource + lines.join("");
}

/** The older form: of the query only `comp` takes part. Source: storage §3.5. */
export function canonicalizeResourceLite(input: ResourceInput): string {
  const comp = input.query.find("comp");
  return `/${input.account}${input.path === "" ? "/" : input.path}${comp === undefined ? "" : `?comp=${comp}`}`;
}
