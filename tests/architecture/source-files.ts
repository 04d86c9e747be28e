import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const root: string = path.resolve(import.meta.dirname, "../..");

/** One file of ours and what it imports. */
export interface SourceFile {
  /** From the root, with forward slashes: `packages/cypher/src/lexer.ts`. */
  readonly path: string;
  /** The part of the product: `cypher`. */
  readonly part: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g;

/** Every TypeScript file under `packages/`, `servers/` and `apps/`, tests included. */
export function readSourceFiles(): SourceFile[] {
  return ["packages", "servers", "apps"].flatMap((room) =>
    readdirSync(path.join(root, room)).flatMap((part) => readPart(room, part)),
  );
}

function readPart(room: string, part: string): SourceFile[] {
  const folder = path.join(root, room, part, "src");
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return []; // not a TypeScript part (the Java host)
  }
  return names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => {
      const file = path.join(folder, name);
      const text = readFileSync(file, "utf8");
      const imports = [...text.matchAll(importPattern)].map((match) => match[1] ?? "");
      return { path: path.relative(root, file).replaceAll(path.sep, "/"), part, text, imports };
    });
}
