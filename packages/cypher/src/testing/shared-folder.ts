import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKOUT = join(dirname(fileURLToPath(import.meta.url)), "../../../..");

/**
 * A folder of test data that is no part of the repository: named by an environment variable, else `../shared/<name>`
 * beside the checkout; `undefined` where there is none, and then its tests are skipped.
 */
export function findSharedFolder(variable: string, name: string): string | undefined {
  const folder = process.env[variable] ?? join(CHECKOUT, "../shared", name);
  return existsSync(folder) ? folder : undefined;
}
