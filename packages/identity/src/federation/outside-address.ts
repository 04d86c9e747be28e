import { type LookupAddress, promises as dns } from "node:dns";
import { BlockList, isIP } from "node:net";
import { isLoopbackHost } from "@trefoil/http";

/**
 * Whether a document of an outside issuer may be asked for at an address: https anywhere, plain http on this machine
 * alone.
 */
export function isFetchable(url: URL): boolean {
  const isPlain = url.protocol === "http:" && isLoopbackHost(url.hostname);
  return (url.protocol === "https:" || isPlain) && url.username === "" && url.password === "";
}

/**
 * Finds where a host is, and refuses what a name of the outside must not lead to: this machine and its networks, where
 * services trust whoever reaches them. The host's own name decides: `localhost` may be this machine, and what the
 * configuration lists may be anywhere. The connection is made to the addresses given back, so that a second, different
 * answer of the name service changes nothing.
 *
 * @throws Error when an address is not allowed
 */
export async function findAddresses(
  hostname: string,
  privateHosts: ReadonlySet<string>,
): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const family = isIP(host);
  const addresses = family === 0 ? await dns.lookup(host, { all: true }) : [{ address: host, family }];
  const isLocalName = isLoopbackHost(hostname);
  for (const { address, family: kind } of addresses) {
    const type = kind === 6 ? "ipv6" : "ipv4";
    const isAllowed = isLocalName
      ? loopback.check(address, type)
      : privateHosts.has(host) || !inside.check(address, type);
    if (!isAllowed) {
      throw new Error(`${host} leads to the address ${address}, which is not of the public network`);
    }
  }
  return addresses;
}

const LOOPBACK = ["127.0.0.0/8", "::1/128", "::ffff:127.0.0.0/104"];

/** Private, shared, link-local, documentation, multicast and reserved ranges. (RFC 6890) */
const INSIDE = [
  ...LOOPBACK,
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "::/128",
  "::ffff:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001:db8::/32",
  "2002::/16",
  "fc00::/7",
  "fe80::/10",
  "ff00::/8",
];

const loopback = blockList(LOOPBACK);
const inside = blockList(INSIDE);

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix = "0"] = range.split("/");
    list.addSubnet(network, Number(prefix), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
