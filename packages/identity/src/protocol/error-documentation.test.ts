import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderErrorDocumentation } from "./error-documentation.ts";
import { errorTable } from "./error-table.ts";

test("docs/errors.md is what the table says: node scripts/run-typescript.mjs scripts/generate-error-docs.ts", () => {
  const file = new URL("../../../../docs/errors.md", import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(renderErrorDocumentation());
});

test("every number has a row", () => {
  const text = renderErrorDocumentation();
  for (const number of Object.keys(errorTable)) {
    expect(text).toContain(`\n| ${number} | `);
  }
});
