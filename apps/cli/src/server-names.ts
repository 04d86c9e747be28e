/** The servers in the order in which they are shown. */
export const serverNames = ["identity", "objects", "graph"] as const;
export type ServerName = (typeof serverNames)[number];

export function isServerName(word: string): word is ServerName {
  return (serverNames as readonly string[]).includes(word);
}
