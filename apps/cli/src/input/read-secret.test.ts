import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { readSecret } from "./read-secret.ts";

test("from a file or from standard input, without the final line break", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trefoil-secret-"));
  const file = path.join(folder, "secret");
  writeFileSync(file, "a b \r\n");
  expect(await readSecret({ file, what: "password" })).toBe("a b ");
  expect(await readSecret({ file: "-", what: "password" }, Readable.from(["se", "cret\n"]))).toBe("secret");
  expect(await readSecret({ what: "password" }, Readable.from(["typed"]))).toBe("typed");
  rmSync(folder, { recursive: true });
});

test("empty, far too long and unreadable ones are refused", async () => {
  await expect(readSecret({ what: "password" }, Readable.from(["\n"]))).rejects.toThrow("the password is empty");
  await expect(readSecret({ what: "password" }, Readable.from(["x".repeat(100_000)]))).rejects.toThrow("too long");
  await expect(readSecret({ file: "/nonexistent/x", what: "key" })).rejects.toThrow("the key cannot be read");
});

test("on a terminal it is typed without echo, with the usual keys", async () => {
  const modes: boolean[] = [];
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (mode: boolean) => modes.push(mode) });
  const shown = new PassThrough();
  const secret = readSecret({ what: "password" }, terminal, shown);
  terminal.write("hunterX\u007f2\r");
  expect(await secret).toBe("hunter2");
  expect(modes).toEqual([true, false]);
  expect(String(shown.read())).toBe("password: \n");
});
