import { createHash } from "node:crypto";

/** An identifier that is the same for the same text everywhere: version 8, of one's own making. (RFC 9562 §5.8) */
export function derivedGuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}
