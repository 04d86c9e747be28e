import { spawn } from "node:child_process";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. @throws when it cannot be started, or fails and `mayFail` is not set */
export async function runToEnd(
  program: string,
  words: readonly string[],
  options: {
    readonly cwd: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly mayFail?: boolean;
  },
): Promise<Finished> {
  const child = spawn(program, words, {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: options.timeoutMs ?? 60_000,
    killSignal: "SIGKILL",
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0 && options.mayFail !== true) {
    throw new Error(`${program} ${words.join(" ")} ended with ${code}: ${output.stderr.slice(-2_000)}`);
  }
  return { code, ...output };
}
