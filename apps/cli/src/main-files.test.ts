import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mainFileOf } from "./main-files.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "trefoil-main-files-"));
  await write("servers/identity-server/dist/main.js", 100);
  await write("servers/identity-server/dist/.tsbuildinfo", 100);
  await write("packages/http/dist/.tsbuildinfo", 100);
  await mkdir(path.join(root, "packages/not-built"));
});
afterEach(() => rm(root, { recursive: true }));

async function write(file: string, modifiedAtSeconds: number): Promise<void> {
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, "");
  await utimes(target, modifiedAtSeconds, modifiedAtSeconds);
}

const chosen = (): string => path.relative(root, mainFileOf("identity", root));

test("a server runs from its modules when they were never put together", () => {
  expect(chosen()).toBe("servers/identity-server/dist/main.js");
});

test("a server runs in one piece until something is compiled again", async () => {
  await write("servers/identity-server/dist/bundle/main.js", 200);
  expect(chosen()).toBe("servers/identity-server/dist/bundle/main.js");
  await write("packages/http/dist/.tsbuildinfo", 300);
  expect(chosen()).toBe("servers/identity-server/dist/main.js");
});
