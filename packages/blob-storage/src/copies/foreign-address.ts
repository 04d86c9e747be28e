import { lookup as resolve } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { StorageError } from "../errors/storage-error.ts";

/** Networks that a name must not lead into: what only this machine or its neighbours can reach. */
const PRIVATE: readonly (readonly [address: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 127, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
];

const privateNetworks = new BlockList();
for (const [address, prefix, family] of PRIVATE) {
  privateNetworks.addSubnet(address, prefix, family);
}

/** Whether an address is in a private network; IPv4 in the clothes of IPv6 counts as what it is. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(address)?.[1];
  const plain = mapped ?? address;
  return privateNetworks.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

/** Resolves a name to all its addresses; node:dns in the product. */
export type Resolver = (host: string) => Promise<readonly string[]>;

export const systemResolver: Resolver = async (host) =>
  (await resolve(host, { all: true })).map(({ address }) => address);

/**
 * The address to connect to for a URL of an allowed host. It is looked up once and then used, so that a name cannot
 * mean another machine when the connection is made. An address that was allowed as such may be private.
 *
 * @throws StorageError `ResourceNotFound` for a name that has none, or one in a private network among them
 */
export async function addressOf(url: URL, resolver: Resolver): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/gu, "");
  if (isIP(host) !== 0) {
    return host;
  }
  const addresses = await resolver(host).catch((): readonly string[] => []);
  const [first] = addresses;
  if (first === undefined || addresses.some(isPrivateAddress)) {
    throw new StorageError("ResourceNotFound");
  }
  return first;
}

/** Whether a host is allowed: by its name for the scheme's own port, or with a port. Entries are lower case. */
export function isAllowedHost(url: URL, allowed: readonly string[]): boolean {
  return allowed.includes(url.host.toLowerCase());
}
