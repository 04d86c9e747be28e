import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./source-files.ts";

/** A row of docs/interface.md: the section, and the file whose test titles must cite it. */
interface Promised {
  readonly section: string;
  readonly file: string;
}

function readPromises(): Promised[] {
  let file = "";
  const promises: Promised[] = [];
  for (const line of readFileSync(path.join(root, "docs/interface.md"), "utf8").split("\n")) {
    const [, section, check = ""] = /^\| ((?:identity|graph) §[\d.]+) \|.*\| ([^|]*) \|$/.exec(line) ?? [];
    if (section === undefined) {
      continue;
    }
    file = /`(tests\/conformance\/[^`]+)`/.exec(check)?.[1] ?? file;
    if (check === "same" || check.includes("tests/conformance/")) {
      promises.push({ section, file });
    }
  }
  return promises;
}

const promises = readPromises();

test("the page lists promises", () => {
  expect(promises.length).toBeGreaterThan(35);
});

test.each([...new Set(promises.map(({ section, file }) => `${section} in ${file}`))])("%s is checked", (row) => {
  const [section = "", file = ""] = row.split(" in ");
  const text = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), "utf8") : "";
  // `§4.1` must not be satisfied by `§4.10`.
  expect(new RegExp(`${section.replaceAll(".", "\\.")}(?![\\d.]*\\d)`).test(text)).toBe(true);
});
