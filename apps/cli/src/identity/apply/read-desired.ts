import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { CommandFailure, exitCodes } from "../../command-failure.ts";

/** What a directory of files says there should be. Lists in the order of the files' names. */
export interface Desired {
  readonly applications: readonly DesiredApplication[];
  readonly users: readonly DesiredUser[];
  readonly groups: readonly DesiredGroup[];
  readonly permissions: readonly DesiredPermission[];
  readonly roles: readonly DesiredRole[];
}

/** A manifest of any generation: found by `appId`, else by its name. */
export interface DesiredApplication extends Readonly<Record<string, unknown>> {
  readonly appId?: string;
  readonly name?: string;
  readonly displayName?: string;
  /** No member of manifests elsewhere: trust in outside issuers, kept beside them. */
  readonly federatedIdentityCredentials?: readonly DesiredFederatedCredential[];
}

/** Trust in an outside issuer, known by its name. */
export interface DesiredFederatedCredential extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** A user; the password counts when the user is made, and is left alone afterwards. */
export interface DesiredUser extends Readonly<Record<string, unknown>> {
  readonly userPrincipalName: string;
  readonly password?: string;
  /** Relative to the file that names it. */
  readonly passwordFile?: string;
}

/** A group; with `members` it has exactly these. */
export interface DesiredGroup {
  readonly displayName: string;
  readonly description?: string;
  readonly members?: readonly string[];
}

/** What a client has at a resource, for everybody. */
export interface DesiredPermission {
  readonly client: string;
  readonly resource: string;
  readonly scopes?: readonly string[];
  readonly appRoles?: readonly string[];
}

/** Who has a role of an application. */
export interface DesiredRole {
  readonly application: string;
  readonly role: string;
  readonly principals: readonly string[];
}

const LISTS = ["applications", "users", "groups", "permissions", "roles"] as const;
type ListName = (typeof LISTS)[number];

/** The member by which an entry of each list is known: one without it is a mistake. */
const NAMES: Readonly<Record<ListName, readonly string[]>> = {
  applications: ["appId", "name", "displayName"],
  users: ["userPrincipalName"],
  groups: ["displayName"],
  permissions: ["client", "resource"],
  roles: ["application", "role", "principals"],
};

/**
 * Reads a file, or all `*.json` files of a directory and of those below it. A file is a manifest, or an object with
 * lists of `applications` (manifests), `users`, `groups`, `permissions` and `roles`.
 *
 * @throws CommandFailure naming the file and what is wrong with it
 */
export async function readDesired(fileOrDirectory: string): Promise<Desired> {
  const desired: Record<ListName, unknown[]> = { applications: [], users: [], groups: [], permissions: [], roles: [] };
  for (const file of await findFiles(fileOrDirectory)) {
    const content = await readObject(file);
    const isLists = Object.keys(content).some((name) => LISTS.some((list) => list === name));
    const lists = isLists ? content : { applications: [content] };
    for (const [name, entries] of Object.entries(lists)) {
      const list = LISTS.find((each) => each === name);
      if (list === undefined || !Array.isArray(entries)) {
        throw wrong(file, `'${name}' is none of the lists ${LISTS.join(", ")}`);
      }
      desired[list].push(...entries.map((entry: unknown) => checkEntry(file, list, entry)));
    }
  }
  return desired as unknown as Desired;
}

async function findFiles(fileOrDirectory: string): Promise<readonly string[]> {
  const found = await stat(fileOrDirectory).catch((error: unknown) => {
    throw wrong(fileOrDirectory, (error as Error).message);
  });
  if (!found.isDirectory()) {
    return [fileOrDirectory];
  }
  const entries = await readdir(fileOrDirectory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

async function readObject(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch (error) {
    throw wrong(file, (error as Error).message);
  }
  throw wrong(file, "it must hold a JSON object");
}

function checkEntry(file: string, list: ListName, entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) {
    throw wrong(file, `an entry of '${list}' is not an object`);
  }
  const members = entry as Readonly<Record<string, unknown>>;
  const names = NAMES[list];
  const isNamed =
    list === "applications" ? names.some((name) => name in members) : names.every((name) => name in members);
  if (!isNamed) {
    throw wrong(file, `an entry of '${list}' lacks ${names.map((name) => `'${name}'`).join(", ")}`);
  }
  const { passwordFile } = members;
  return typeof passwordFile === "string"
    ? { ...members, passwordFile: path.resolve(path.dirname(file), passwordFile) }
    : members;
}

function wrong(file: string, reason: string): CommandFailure {
  return new CommandFailure(`${file}: ${reason}`, exitCodes.usage);
}
