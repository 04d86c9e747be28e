import { fork } from "node:child_process";
import path from "node:path";
import { type Finding, runRange } from "./run-range.ts";
import { statementOf } from "./mutate.ts";

const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/run-typescript.mjs");
/** A statement that says nothing for so long blocks the process. */
const SILENCE_MS = 30_000;

type Message = { readonly began: number } | { readonly finding: Finding };

/**
 * `npm run fuzz -- [how many] [from which]`: random and mutated statements, each from its number alone, so that what is
 * found can be done again: `npm run fuzz -- 1 <number>`. A child process runs them; when it dies or falls silent, the
 * statement it was at is a finding, and another child goes on behind it.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [count = 1_000_000, from = 1] = args.filter((arg) => arg !== "--child").map(Number);
  if (args.includes("--child")) {
    let last = 0;
    await runRange(
      from,
      count,
      (seed) => {
        // Every one would be most of the work.
        if (seed - last >= 20 || count < 20) {
          last = seed;
          process.send?.({ began: seed });
        }
      },
      (finding) => process.send?.({ finding }),
    );
    return 0;
  }
  const findings: Finding[] = [];
  const beganMs = performance.now();
  for (let next = from; next < from + count;) {
    next = await runChild(next, from + count - next, findings);
  }
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  process.stdout.write(`${count} statements in ${seconds} s, ${findings.length} findings\n`);
  return findings.length === 0 ? 0 : 1;
}

/** @returns  the number to go on with */
function runChild(from: number, count: number, findings: Finding[]): Promise<number> {
  const report = (finding: Finding): void => {
    findings.push(finding);
    process.stdout.write(`#${finding.seed} (${finding.mode}) ${finding.text}\n  ${finding.what}\n`);
  };
  return new Promise((resolve) => {
    const child = fork(SCRIPT, [path.join(import.meta.dirname, "main.ts"), "--child", String(count), String(from)], {
      execArgv: ["--max-old-space-size=1024"],
    });
    let at = from;
    let silence = setTimeout(() => child.kill("SIGKILL"), 6 * SILENCE_MS);
    child.on("message", (message: Message) => {
      if ("finding" in message) {
        report(message.finding);
        return;
      }
      at = message.began;
      clearTimeout(silence);
      silence = setTimeout(() => child.kill("SIGKILL"), SILENCE_MS);
    });
    child.once("close", (code) => {
      clearTimeout(silence);
      if (code === 0) {
        resolve(from + count);
        return;
      }
      const { text, mode } = statementOf(at);
      report({ seed: at, mode, text, what: `the process ended or hung here, or up to 20 statements later (${code})` });
      resolve(at + 20);
    });
  });
}
