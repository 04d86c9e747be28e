import { hash } from "node:crypto";

/**
 * SHA-256 of a text, as tokens and secrets are kept: 32 bytes. By way of a text with a letter for each byte, because Node
 * takes half as long again when it is asked for the bytes themselves. (decisions/0201)
 */
export function sha256(text: string): Buffer {
  return Buffer.from(hash("sha256", text, "binary"), "binary");
}
