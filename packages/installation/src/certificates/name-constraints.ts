import { isIP, isIPv4 } from "node:net";

/** X.509 name constraints (RFC 5280 §4.2.1.10). */
export const nameConstraintsOid = "2.5.29.30";

/**
 * The DER of a NameConstraints extension that permits only this machine's names: `localhost` and what is below it,
 * 127.0.0.0/8, ::1, and the given host names and addresses. A stolen authority key is worth nothing elsewhere.
 */
export function encodeNameConstraints(hosts: readonly string[]): ArrayBuffer {
  const subtrees = [
    dnsSubtree("localhost"),
    addressSubtree([127, 0, 0, 0], [255, 0, 0, 0]),
    addressSubtree([...zeros(15), 1], full(16)),
    ...hosts.map((host) =>
      isIP(host) === 0 ? dnsSubtree(host) : addressSubtree(addressBytes(host), full(isIPv4(host) ? 4 : 16)),
    ),
  ];
  const permittedSubtrees = element(0xa0, subtrees.flat());
  return Uint8Array.from(element(0x30, permittedSubtrees)).buffer;
}

function dnsSubtree(name: string): number[] {
  return element(0x30, element(0x82, [...Buffer.from(name, "latin1")]));
}

function addressSubtree(address: readonly number[], mask: readonly number[]): number[] {
  return element(0x30, element(0x87, [...address, ...mask]));
}

/** One DER element: tag, length, content. */
function element(tag: number, content: readonly number[]): number[] {
  const { length } = content;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return [tag, ...lengthBytes, ...content];
}

/** The 4 or 16 bytes of an IP address. */
function addressBytes(address: string): number[] {
  if (isIPv4(address)) {
    return address.split(".").map(Number);
  }
  // The URL parser writes every IPv6 address in one form, without an embedded IPv4 part.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string): number[] =>
    text === "" ? [] : text.split(":").flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]);
  const first = groups(head);
  const last = groups(tail ?? "");
  return [...first, ...zeros(16 - first.length - last.length), ...last];
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const full = (count: number): number[] => Array.from({ length: count }, () => 255);
