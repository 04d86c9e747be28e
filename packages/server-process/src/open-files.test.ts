import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { findOpenFilesWarning } from "./open-files.ts";

test("the warning names the figure in force, below 40 000 only", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trefoil-limits-"));
  const file = path.join(folder, "limits");
  const write = (soft: string): void =>
    writeFileSync(file, `Limit  Soft Limit Hard Limit Units\nMax open files            ${soft}   1048576   files\n`);
  write("1024");
  expect(await findOpenFilesWarning(file)).toContain("Max 1024 open files allowed");
  write("40000");
  expect(await findOpenFilesWarning(file)).toBeUndefined();
  write("unlimited");
  expect(await findOpenFilesWarning(file)).toBeUndefined();
  expect(await findOpenFilesWarning(path.join(folder, "none"))).toBeUndefined();
  rmSync(folder, { recursive: true });
});
