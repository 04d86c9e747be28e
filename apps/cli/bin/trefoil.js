#!/usr/bin/env node
// The command's entry: plain JavaScript that is there before anything was built, and builds what is missing.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../../", import.meta.url);
const needed = [
  "apps/cli/dist/index.js",
  "servers/identity-server/dist/main.js",
  "servers/storage-server/dist/main.js",
  "servers/graph-server/dist/main.js",
  "apps/console/dist/index.html",
];

if (needed.some((file) => !existsSync(new URL(file, root)))) {
  process.stderr.write("Building Trefoil, once …\n");
  // npm's own output goes to standard error: what the command prints stays clean.
  const built = spawnSync("npm", ["run", "build", "--silent"], {
    cwd: fileURLToPath(root),
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (built.status !== 0) {
    process.stderr.write("The build failed. Is everything installed (npm ci)?\n");
    process.exit(1);
  }
}

const { runCommandLine } = await import("../dist/index.js");
process.exitCode = await runCommandLine(process.argv.slice(2));
