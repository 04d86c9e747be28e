import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

test("lines for people carry the message and the fields", () => {
  let output = "";
  const stream = { write: (line: string): void => void (output += line) };
  createLogger({ name: "graph", level: "info", pretty: true, stream }).info({ port: 7474 }, "ready");
  expect(output).toMatch(/INFO.*\(graph\): .*ready[^]*port.*7474/);
});

test("what is logged last is written when the process ends", async () => {
  const built = fileURLToPath(new URL("../dist/index.js", import.meta.url));
  const script = `const { createLogger } = await import(${JSON.stringify(built)});
    createLogger({ name: "t", level: "info" }).info("last words"); process.exit(3);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  expect((await once(child, "close"))[0]).toBe(3);
  expect(output).toContain("last words");
}, 20_000);

test("a reader that is gone neither fails nor hangs the process", async () => {
  const built = fileURLToPath(new URL("../dist/index.js", import.meta.url));
  const script = `const { createLogger } = await import(${JSON.stringify(built)});
    const logger = createLogger({ name: "t", level: "info" });
    setInterval(() => logger.info("x".repeat(10_000)), 5);
    setTimeout(() => process.exit(3), 500);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.destroy();
  expect((await once(child, "exit"))[0]).toBe(3);
}, 20_000);
