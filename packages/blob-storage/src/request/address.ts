import { StorageError } from "../errors/storage-error.ts";
import { perObject } from "./per-object.ts";
import { remembered } from "./remembered.ts";

/** How a request named its account. */
export type AddressStyle = "host" | "path" | "header" | "only";

/** What a request's URL points at. */
export interface Address {
  readonly style: AddressStyle;
  readonly account: string;
  /** The address ended in `-secondary`: a read-only second endpoint of the same account. */
  readonly secondary: boolean;
  readonly container?: string | undefined;
  readonly blob?: string | undefined;
}

export interface AddressInput {
  readonly host: string;
  /** The path as sent, still percent-encoded. */
  readonly path: string;
  /** The query says that a single path segment names a container (`restype=container`, `restype=account`). */
  readonly namesContainer: boolean;
  /** The query says that the whole path names a container (`restype=container`). */
  readonly isContainer?: boolean | undefined;
  /** The account that the credentials name, if any. */
  readonly credentialAccount?: string | undefined;
  /** Host names whose first label before them is an account: `localhost`, `blob.localhost` … */
  readonly hostSuffixes: readonly string[];
  /** Whether there is such an account. */
  readonly exists: (account: string) => boolean;
  /** The account's name when the installation has exactly one. */
  readonly onlyAccount?: string | undefined;
}

const SECONDARY = "-secondary";

/**
 * Resolves the account, the container and the blob (rulings, Objects 2): the account comes from the host, else from
 * the first path segment when that names the account of the credentials or an existing one, else from the
 * credentials, else it is the only one there is.
 *
 * @throws StorageError `InvalidUri` for a path that is not UTF-8 or that no account belongs to
 */
export function resolveAddress(input: AddressInput): Address {
  const segments = input.path.replace(/^\//u, "");
  const fromHost = accountOfHost(input.host, input.hostSuffixes);
  if (fromHost !== undefined) {
    return locate("host", fromHost, segments, input.namesContainer);
  }
  const end = segments.indexOf("/");
  const first = decode(end < 0 ? segments : segments.slice(0, end));
  const bare = withoutSecondary(first);
  if (first !== "" && (bare === input.credentialAccount || input.exists(bare))) {
    return locate("path", first, end < 0 ? "" : segments.slice(end + 1), input.namesContainer);
  }
  if (input.credentialAccount !== undefined) {
    return locate("header", input.credentialAccount, segments, input.namesContainer);
  }
  // Two segments where a container is meant: the first is an account, and there is none of that name.
  const isElsewhere = input.isContainer === true && /^[^/]+\/./u.test(segments);
  if (input.onlyAccount !== undefined && !isElsewhere) {
    return locate("only", input.onlyAccount, segments, input.namesContainer);
  }
  throw new StorageError("ResourceNotFound");
}

function accountOfHost(host: string, suffixes: readonly string[]): string | undefined {
  return readers(suffixes)(host).account;
}

/** By the suffixes that a server has. */
const readers = perObject((suffixes: readonly string[]) =>
  remembered(256, (host) => ({ account: readHost(host, suffixes) })),
);

function readHost(host: string, suffixes: readonly string[]): string | undefined {
  const name = host.toLowerCase().replace(/:\d+$/u, "");
  const labels = suffixes
    .filter((suffix) => name.endsWith(`.${suffix}`))
    .map((suffix) => name.slice(0, -suffix.length - 1))
    .filter((label) => /^[a-z0-9]{3,24}(?:-secondary)?$/u.test(label));
  return labels[0];
}

function locate(style: AddressStyle, account: string, rest: string, namesContainer: boolean): Address {
  const slash = rest.indexOf("/");
  const first = decode(slash < 0 ? rest : rest.slice(0, slash));
  const named = slash < 0 ? "" : decode(rest.slice(slash + 1));
  // Like the service, which takes both slashes for a separator inside a blob's name.
  const second = named.includes("\\") ? named.replaceAll("\\", "/") : named;
  const isInRoot = slash < 0 && first !== "" && !namesContainer;
  const isAccount = first === "" && second === "";
  // One literal with all members: of an object made in parts the engine knows nothing, wherever it is read.
  return {
    style,
    account: withoutSecondary(account),
    secondary: account.endsWith(SECONDARY),
    container: isAccount ? undefined : isInRoot ? "$root" : first,
    blob: isInRoot ? first : second === "" ? undefined : second,
  };
}

function withoutSecondary(name: string): string {
  return name.endsWith(SECONDARY) ? name.slice(0, -SECONDARY.length) : name;
}

function decode(text: string): string {
  if (!text.includes("%")) {
    return text;
  }
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StorageError("InvalidUri");
  }
}
