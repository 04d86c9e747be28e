import { constants } from "node:fs";
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DirectoryFiles } from "./store-files.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "trefoil-store-files-"));
});
afterEach(() => rm(directory, { recursive: true }));

test("what is written to a log is there, and goes on where it ended", async () => {
  const files = new DirectoryFiles(directory);
  const created = await files.create("log", "log");
  await created.writeSynced(Buffer.from("one "), 0);
  await created.writeSynced(Buffer.from("two"), 4);
  expect(created.size).toBe(7);
  await created.close();
  const opened = await files.open("log", "log");
  await opened.writeSynced(Buffer.from(" three"), opened.size);
  await opened.close();
  expect(await readFile(path.join(directory, "log"), "utf8")).toBe("one two three");
});

test.runIf(process.platform === "linux")("logs are written through, other files are not", async () => {
  const files = new DirectoryFiles(directory);
  const log = await files.create("log", "log");
  const other = await files.create("other");
  expect((await flagsOf("log")) & constants.O_DSYNC).toBe(constants.O_DSYNC);
  expect((await flagsOf("other")) & constants.O_DSYNC).toBe(0);
  await Promise.all([log.close(), other.close()]);
});

/** With which this process has a file of the folder open. */
async function flagsOf(name: string): Promise<number> {
  for (const descriptor of await readdir("/proc/self/fd")) {
    const target = await readlink(`/proc/self/fd/${descriptor}`).catch(() => "");
    if (target === path.join(directory, name)) {
      const [, flags = ""] = /^flags:\s*(\d+)/m.exec(await readFile(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
      return Number.parseInt(flags, 8);
    }
  }
  throw new Error(`${name} is not open`);
}
