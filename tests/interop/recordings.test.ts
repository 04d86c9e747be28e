import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { CompatibleServer } from "./graph-suites/compatible-server.ts";

/*
 * Exchanges recorded from a real 2.3 server, replayed against ours by the program that lies beside them. Both are found
 * next to the checkout or by TREFOIL_GOLDEN.
 */

const folder = process.env["TREFOIL_GOLDEN"] ?? path.resolve(import.meta.dirname, "../../../shared/golden");
const program = path.join(folder, "replay.mjs");
const reason = existsSync(program) ? "" : " (set TREFOIL_GOLDEN to the folder with replay.mjs)";

describe.skipIf(reason !== "")(`recorded exchanges${reason}`, () => {
  test("without authentication", async () => {
    const { passed, failures } = await replay({ "graph.auth_enabled": "false" }, []);
    expect(failures).toBe("");
    expect(passed).toBeGreaterThan(1_000);
  }, 300_000);

  test("of accounts, passwords and locks", async () => {
    const { passed, failures } = await replay({}, ["--auth-cases", path.join(folder, "auth.jsonl")]);
    expect(failures).toBe("");
    expect(passed).toBeGreaterThan(50);
  }, 300_000);
});

/** @returns the number of cases that passed, and what the program says of the others */
async function replay(
  properties: Readonly<Record<string, string>>,
  more: readonly string[],
): Promise<{ readonly passed: number; readonly failures: string }> {
  const server = await CompatibleServer.start(properties);
  try {
    // By its real place: it runs only when it finds itself there.
    const child = spawn(process.execPath, [realpathSync(program), "--base", server.url, "--verbose", ...more], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await once(child, "close");
    const [, passed = "0", failed = "0"] = /(\d+) passed, (\d+) failed\s*$/u.exec(output) ?? [];
    const isWhole = passed !== "0" && failed === "0";
    return { passed: Number(passed), failures: isWhole ? "" : output };
  } finally {
    await server.stop();
  }
}
