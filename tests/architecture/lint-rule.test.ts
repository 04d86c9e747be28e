import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { allowedImports } from "./arrows.ts";
import { root } from "./source-files.ts";

interface Override {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

const { overrides } = JSON.parse(readFileSync(path.join(root, ".oxlintrc.json"), "utf8")) as {
  overrides: readonly Override[];
};

/** What the linter lets a part import from the others, besides `base`. */
function lintAllows(part: string): string[] | undefined {
  const override = overrides.find(
    ({ files, rules }) => files.some((glob) => glob.split("/")[1] === part) && "no-restricted-imports" in rules,
  );
  const [, options] = (override?.rules["no-restricted-imports"] ?? []) as [string, { patterns: { group: string[] }[] }];
  return options?.patterns[0]?.group
    .filter((pattern) => pattern.startsWith("!@trefoil/"))
    .map((pattern) => pattern.slice("!@trefoil/".length))
    .filter((target) => target !== "base");
}

test.each(Object.keys(allowedImports))("the lint rule for %s draws the same arrows as the table", (part) => {
  expect(lintAllows(part)?.toSorted()).toEqual(allowedImports[part]?.toSorted());
});
