import { cp, mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runToEnd } from "./run-to-end.ts";
import { type ClientSuite } from "./suites.ts";

/** What was fetched is kept between runs, outside the checkout. */
const cache = path.join(tmpdir(), "trefoil-client-suites");

/** The folder of a client with its suite and everything that needs, from the registry. @throws when that is silent */
export async function installClient({ client, version, pins = [] }: ClientSuite): Promise<string> {
  return await once(`${client}-${version}`, async (folder) => {
    await unpack(`${client}@${version}`, folder);
    const install = [
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--legacy-peer-deps",
      "--loglevel=error",
    ];
    await runToEnd("npm", [...install, ...pins], { cwd: folder, timeoutMs: 240_000 });
    const sample = path.join(folder, "test", "config.sample.json");
    await cp(sample, path.join(folder, "test", "config.json")).catch(() => undefined);
  });
}

/** An old Node, as a plain file. @throws when the registry is silent or has none for this machine */
export async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await once(`${name}-${version}`, (target) => unpack(`${name}@${version}`, target));
  return path.join(folder, "bin", "node");
}

/** A Python with a package and what its suite needs; the package's source is in `source`. @throws when there is none */
export async function installPython(
  requirement: string,
  more: readonly string[],
): Promise<{ readonly python: string; readonly source: string }> {
  const folder = await once(`python-${requirement.replace("==", "-")}`, async (target) => {
    await runToEnd("python3", ["-m", "venv", path.join(target, "venv")], { cwd: target });
    const pip = [path.join(target, "venv/bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check"] as const;
    const [python, ...words] = pip;
    await runToEnd(python, [...words, "install", requirement, ...more], { cwd: target, timeoutMs: 240_000 });
  });
  return { python: path.join(folder, "venv/bin/python"), source: folder };
}

async function unpack(what: string, folder: string): Promise<void> {
  const packed = await runToEnd("npm", ["pack", "--silent", what], { cwd: folder });
  await runToEnd("tar", ["xzf", packed.stdout.trim(), "--strip-components=1"], { cwd: folder });
}

/** Makes a folder of the cache, whole or not at all. */
async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(cache, name);
  if (await exists(folder)) {
    return folder;
  }
  await mkdir(cache, { recursive: true });
  // Python's environments know where they are: they are made in place.
  const isPython = name.startsWith("python-");
  const target = isPython ? folder : await mkdtemp(path.join(cache, "making-"));
  await mkdir(target, { recursive: true });
  try {
    await make(target);
    if (!isPython) {
      await rename(target, folder);
    }
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
