import { StartError } from "@trefoil/base";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** A package in the plugins directory. */
export interface FoundModule {
  readonly packageName: string;
  /** The file to import. */
  readonly file: string;
}

/** Modules in `directory`, by name: `<package>.mjs`, or a folder whose `package.json` says its name (rulings, Graph 18). */
export async function findModules(directory: string): Promise<readonly FoundModule[]> {
  const entries = await listOf(directory);
  const found = await Promise.all(
    entries.map(async (entry): Promise<FoundModule | undefined> => {
      const file = path.join(directory, entry);
      return entry.endsWith(".mjs") ? { packageName: entry.slice(0, -".mjs".length), file } : await readPackage(file);
    }),
  );
  const modules = found.filter((each) => each !== undefined);
  for (const [index, { packageName, file }] of modules.entries()) {
    const earlier = modules.slice(0, index).find((each) => each.packageName === packageName);
    if (earlier !== undefined) {
      throw new StartError("configuration", `the extension ${packageName} is there twice: ${earlier.file} and ${file}`);
    }
  }
  return modules;
}

async function listOf(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return [];
    }
    throw new StartError("configuration", `the plugins directory ${directory} cannot be read`, { cause: error });
  }
}

interface PackageDescription {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
}

/** Undefined for what is no package: jars, notes, folders of other things. */
async function readPackage(folder: string): Promise<FoundModule | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, "package.json"), "utf8");
  } catch {
    return undefined;
  }
  let description: PackageDescription;
  try {
    description = JSON.parse(text) as PackageDescription;
  } catch (error) {
    throw new StartError("configuration", `${path.join(folder, "package.json")} is not JSON`, { cause: error });
  }
  const { name } = description;
  if (typeof name !== "string" || name === "") {
    throw new StartError("configuration", `${path.join(folder, "package.json")} has no name`);
  }
  return { packageName: name, file: path.join(folder, entryOf(description)) };
}

function entryOf({ main, exports }: PackageDescription): string {
  const dot = isRecord(exports) ? (exports["."] ?? exports) : exports;
  const entry = isRecord(dot) ? (dot["import"] ?? dot["node"] ?? dot["default"]) : dot;
  return [entry, main].find((each) => typeof each === "string") ?? "index.mjs";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
