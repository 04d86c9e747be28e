import { CorruptionError } from "@trefoil/base";
import path from "node:path";
import { inCriticalSection } from "../locks/critical-section.ts";
import { findFile, writePrivateFile } from "../private-file.ts";

/** What the first start of each server made and tells its owner once (design §2). */
export interface InitialCredentials {
  readonly identity: {
    /** `identity.public_url` without a final slash, and the tenant's second issuer beside it. */
    readonly issuer: string;
    readonly issuerV2: string;
    readonly tenantId: string;
    readonly tenantDomain: string;
    readonly administrator: { readonly username: string; readonly password: string };
  };
  readonly objects: {
    /** The http address with the account's path. */
    readonly endpoint: string;
    readonly account: string;
    /** Base64. */
    readonly keys: readonly string[];
    readonly connectionString: string;
  };
  readonly graph: {
    readonly endpoint: string;
    readonly username: string;
    readonly password: string;
    readonly passwordChangeRequired: boolean;
  };
  /** The file of the certificate authority that clients have to trust. */
  readonly certificateAuthority: string;
}

/** In this order in the file, whoever comes first. */
const sections: readonly (keyof InitialCredentials)[] = ["identity", "objects", "graph", "certificateAuthority"];

class DamagedCredentialsError extends CorruptionError<"initial-credentials"> {
  override readonly name = "DamagedCredentialsError";
}

export function initialCredentialsFile(dataDirectory: string): string {
  return path.join(dataDirectory, "initial-credentials.json");
}

/**
 * Adds a section to `initial-credentials.json` (mode 0600). A section that is there already stays as it is, whatever
 * it says: it may have been shortened by `credentials forget`.
 *
 * @returns whether the section was added
 */
export function addInitialCredentials<Section extends keyof InitialCredentials>(
  dataDirectory: string,
  section: Section,
  value: InitialCredentials[Section],
): Promise<boolean> {
  return inCriticalSection(dataDirectory, async () => {
    const present = await readInitialCredentials(dataDirectory);
    if (present[section] !== undefined) {
      return false;
    }
    await write(dataDirectory, { ...present, [section]: value });
    return true;
  });
}

/** What the file says; sections may be missing. */
export async function readInitialCredentials(dataDirectory: string): Promise<Partial<InitialCredentials>> {
  const file = initialCredentialsFile(dataDirectory);
  const text = await findFile(file);
  try {
    const value: unknown = text === undefined ? {} : JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value;
    }
  } catch (error) {
    throw new DamagedCredentialsError("initial-credentials", `${file} is not JSON`, { cause: error });
  }
  throw new DamagedCredentialsError("initial-credentials", `${file} is not a JSON object`);
}

/** Fields that `forgetInitialSecrets` takes out, in every section. */
const secretFields: ReadonlySet<string> = new Set(["password", "keys", "connectionString"]);

/**
 * Removes the secrets from the file and keeps the rest (names, addresses).
 *
 * @returns whether there was anything to remove
 */
export function forgetInitialSecrets(dataDirectory: string): Promise<boolean> {
  return inCriticalSection(dataDirectory, async () => {
    const before = JSON.stringify(await readInitialCredentials(dataDirectory));
    const after: unknown = JSON.parse(before, function (key, value: unknown) {
      return secretFields.has(key) ? undefined : value;
    });
    if (JSON.stringify(after) === before) {
      return false;
    }
    await write(dataDirectory, after as Partial<InitialCredentials>);
    return true;
  });
}

async function write(dataDirectory: string, credentials: Partial<InitialCredentials>): Promise<void> {
  const ordered = Object.fromEntries(
    sections.filter((name) => credentials[name] !== undefined).map((name) => [name, credentials[name]]),
  );
  await writePrivateFile(initialCredentialsFile(dataDirectory), `${JSON.stringify(ordered, undefined, 2)}\n`);
}
