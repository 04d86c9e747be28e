import { fileURLToPath } from "node:url";
import type { ServerName } from "./server-names.ts";

const folders: Readonly<Record<ServerName, string>> = {
  identity: "identity-server",
  objects: "storage-server",
  graph: "graph-server",
};

/** The built entry file of a server: the same distance from this file in `src` and in `dist`. */
export function mainFileOf(server: ServerName): string {
  return fileURLToPath(new URL(`../../../servers/${folders[server]}/dist/main.js`, import.meta.url));
}

/** The command itself, for starting it again in the background. */
export const commandFile: string = fileURLToPath(new URL("../bin/trefoil.js", import.meta.url));
