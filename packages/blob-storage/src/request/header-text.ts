/**
 * The text of a header's value. Clients that send letters beyond ASCII mean UTF-8, and sign it as UTF-8; what is no
 * UTF-8 was sent by one that writes a byte per letter.
 */
export function headerText(value: string): string {
  if (!/[\u0080-\u00ff]/u.test(value)) {
    return value;
  }
  try {
    return utf8.decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
