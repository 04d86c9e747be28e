import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./source-files.ts";

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const rooms = /^(?:packages|servers|apps|tests|bench|scripts|docs)\//;
const inBackticks = /`([^`\s]+)`/g;
const inLinks = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;

/** Paths a document names: back-quoted ones that begin with a room of the house, and relative link targets. */
function namedPaths(document: string): string[] {
  const text = readFileSync(path.join(root, document), "utf8");
  const quoted = [...text.matchAll(inBackticks)]
    .map((match) => match[1] ?? "")
    .filter((name) => rooms.test(name) && !/[*<>{}…]/.test(name));
  const linked = [...text.matchAll(inLinks)]
    .map((match) => match[1] ?? "")
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(document), target));
  return [...quoted, ...linked];
}

test.each(documents)("every path that %s names exists", (document) => {
  expect(namedPaths(document).filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

test("the architecture names real files", () => {
  expect(namedPaths("docs/architecture.md").length).toBeGreaterThan(30);
});
