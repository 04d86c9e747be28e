import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerName } from "./server-names.ts";

const folders: Readonly<Record<ServerName, string>> = {
  identity: "identity-server",
  objects: "storage-server",
  graph: "graph-server",
};

/** The same distance from this file in `src` and in `dist`. */
const repository: string = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * The built entry file of a server: its modules in one piece, which starts in half the time, unless something was
 * compiled since they were put together. (decisions/0101)
 */
export function mainFileOf(server: ServerName, root: string = repository): string {
  const folder = path.join(root, "servers", folders[server]);
  const bundle = path.join(folder, "dist/bundle/main.js");
  const bundledAtMs = modifiedAtMs(bundle);
  const compiled = [folder, ...packageFolders(root)].map((each) => modifiedAtMs(path.join(each, "dist/.tsbuildinfo")));
  const isCurrent = bundledAtMs !== undefined && compiled.every((atMs) => (atMs ?? 0) <= bundledAtMs);
  return isCurrent ? bundle : path.join(folder, "dist/main.js");
}

/** The command itself, for starting it again in the background. */
export const commandFile: string = fileURLToPath(new URL("../bin/trefoil.js", import.meta.url));

function packageFolders(root: string): readonly string[] {
  const packages = path.join(root, "packages");
  return readdirSync(packages).map((name) => path.join(packages, name));
}

function modifiedAtMs(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
