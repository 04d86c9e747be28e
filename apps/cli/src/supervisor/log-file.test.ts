import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LogFile, readLastLines } from "./log-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a full log starts anew, keeps four older files and never grows beyond its limit", () => {
  const file = path.join(folder, "logs", "trefoil.log");
  const log = new LogFile(file, 100);
  for (let line = 0; line < 100; line += 1) {
    log.write(Buffer.from(`line ${String(line).padStart(4, "0")}\n`));
  }
  log.close();
  const names = readdirSync(path.dirname(file)).toSorted();
  expect(names).toEqual(["trefoil.log", "trefoil.log.1", "trefoil.log.2", "trefoil.log.3", "trefoil.log.4"]);
  for (const name of names) {
    expect(statSync(path.join(folder, "logs", name)).size).toBeLessThanOrEqual(100);
  }
  expect(readFileSync(file, "utf8")).toMatch(/line 0099\n$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a log goes on where it was", () => {
  const file = path.join(folder, "trefoil.log");
  for (const word of ["one", "two"]) {
    const log = new LogFile(file);
    log.write(Buffer.from(`${word}\n`));
    log.close();
  }
  expect(readLastLines(file, 5)).toEqual(["one", "two"]);
  expect(readLastLines(file, 1)).toEqual(["two"]);
  expect(readLastLines(path.join(folder, "none"), 5)).toEqual([]);
});
