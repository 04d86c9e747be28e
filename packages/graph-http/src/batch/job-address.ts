/**
 * What keeps `to` from being an address, in the words that clients know; undefined when it is one. An unknown reference
 * is found out here, by its brace (golden, batch).
 */
export function addressMistake(to: string): string | undefined {
  const address = `./${to.replace(/^\//, "")}`;
  const at = address.search(/[\s{}[\]<>"\\^`|]|%(?![0-9A-Fa-f]{2})/);
  if (at === -1) {
    return undefined;
  }
  if (address[at] === "%") {
    return `Malformed escape pair at index ${at}: ${address}`;
  }
  const before = address.slice(0, at);
  const part = before.includes("#") ? "fragment" : before.includes("?") ? "query" : "path";
  // Brackets may stand behind the path.
  return part !== "path" && /[[\]]/.test(address[at] ?? "")
    ? undefined
    : `Illegal character in ${part} at index ${at}: ${address}`;
}
