import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * Whether an address is the one, or in the range, that a signature names: `168.1.5.65` or `168.1.5.60-168.1.5.70`.
 * An IPv4 address that came in over IPv6 counts as itself.
 */
export function addressInRange(address: string, range: string): boolean {
  const own = address.replace(/^::ffff:(?=\d+\.)/iu, "");
  const [first = "", last = first] = range.split("-");
  const family = isIPv4(first) && isIPv4(last) ? "ipv4" : isIPv6(first) && isIPv6(last) ? "ipv6" : undefined;
  if (family === undefined || !(family === "ipv4" ? isIPv4(own) : isIPv6(own))) {
    return false;
  }
  const list = new BlockList();
  try {
    list.addRange(first, last, family);
  } catch {
    // A range that ends before it begins holds no address.
    return false;
  }
  return list.check(own, family);
}
