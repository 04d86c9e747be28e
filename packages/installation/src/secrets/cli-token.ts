import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import path from "node:path";
import { must } from "@trefoil/base";
import { createPrivateFile, findFile } from "../private-file.ts";

/** The opaque token by which the command line of this data folder authenticates. */
export class CliToken {
  readonly #digest: Buffer;

  constructor(value: string) {
    this.#digest = digest(value);
  }

  /** In constant time, also in the candidate's length. */
  matches(candidate: string): boolean {
    return timingSafeEqual(this.#digest, digest(candidate));
  }
}

/** Where the token lies; who can read the file is the administrator. */
export function cliTokenFile(dataDirectory: string): string {
  return path.join(dataDirectory, "cli-token");
}

/** The data folder's token, made on the first start (256 random bits, mode 0600). */
export async function ensureCliToken(dataDirectory: string): Promise<CliToken> {
  const file = cliTokenFile(dataDirectory);
  if ((await findFile(file)) === undefined) {
    await createPrivateFile(file, `${randomBytes(32).toString("base64url")}\n`);
  }
  return new CliToken(must(await findFile(file), "the token's file was just made").trim());
}

function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}
