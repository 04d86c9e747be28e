import { type ImportedHash } from "./password-hash.ts";

/** An account as a 2.x installation kept it. */
export interface ImportedAccount {
  readonly name: string;
  readonly password: ImportedHash;
  readonly passwordChangeRequired: boolean;
}

/** The file is not one of accounts; the message names the line. */
export class AccountFileError extends Error {
  override readonly name = "AccountFileError";
}

/**
 * Reads `name:SHA-256,<hash>,<salt>:<flags>`, one account a line, hash and salt in hexadecimal digits (graph-http §3).
 *
 * @throws AccountFileError
 */
export function readAccountFile2x(text: string): readonly ImportedAccount[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== "")
    .map(({ line, number }) => {
      const match = /^([^:]+):SHA-256,([\dA-Fa-f]{64}),((?:[\dA-Fa-f]{2})+):([\w,]*)$/.exec(line);
      if (match === null) {
        throw new AccountFileError(`line ${number} is not name:SHA-256,<hash>,<salt>:<flags>`);
      }
      const [, name = "", hash = "", salt = "", flags = ""] = match;
      return {
        name,
        password: { algorithm: "sha-256", hashBase64: base64Of(hash), saltBase64: base64Of(salt) },
        passwordChangeRequired: flags.split(",").includes("password_change_required"),
      };
    });
}

function base64Of(hex: string): string {
  return Buffer.from(hex, "hex").toString("base64");
}
