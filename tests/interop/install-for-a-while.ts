import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type TestContext } from "vitest";

/*
 * Clients that don't belong into our lockfile are installed into a folder of their own for one run: those of another
 * language, and passport-azure-ad, whose logger wants to build an addon of its own when it is installed.
 */

export interface Installation {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Where a client can't be installed its test is skipped, and says why. */
export async function installOrSkip(
  context: TestContext,
  install: () => Promise<Installation>,
  tellReason: (reason: string) => void,
): Promise<Installation> {
  try {
    return await install();
  } catch (error) {
    const reason = `it could not be installed: ${String(error).split("\n", 1)[0]}`;
    tellReason(reason);
    return context.skip(reason);
  }
}

/** npm packages, without their install scripts. @throws when the registry doesn't answer */
export function installFromNpm(packages: readonly string[]): Promise<Installation> {
  return install(async (folder) => {
    await writeFile(path.join(folder, "package.json"), '{"private":true}');
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], folder);
  });
}

/** Python packages in an environment of their own; its `bin/python` runs with them. @throws as above, or without Python */
export function installFromPyPi(packages: readonly string[]): Promise<Installation> {
  return install(async (folder) => {
    await run("python3", ["-m", "venv", folder], folder);
    await run(path.join(folder, "bin/pip"), ["install", "--quiet", ...packages], folder);
  });
}

async function install(fill: (folder: string) => Promise<void>): Promise<Installation> {
  const folder = await mkdtemp(path.join(tmpdir(), "trefoil-client-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await fill(folder);
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function run(program: string, words: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(program, words, { cwd, timeout: 100_000 });
}
