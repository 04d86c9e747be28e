import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

export interface ProgramInput {
  /** Handed over as JSON on standard input. */
  readonly input?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program of the machine to its end. @returns its standard output @throws with its standard error */
export async function runProgram(
  program: string,
  words: readonly string[],
  { input, environment = {} }: ProgramInput = {},
): Promise<string> {
  const running = execute(program, words, { env: { ...process.env, ...environment }, timeout: 50_000 });
  // A program may end without reading what it is handed; how it ended is told by its exit code.
  running.child.stdin?.on("error", () => {}).end(input === undefined ? "" : JSON.stringify(input));
  return (await running).stdout;
}

/** The first of these programs that runs with these words and ends well; `undefined` when none does. */
export async function findProgram(programs: readonly string[], words: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    if (
      await runProgram(program, words).then(
        () => true,
        () => false,
      )
    ) {
      return program;
    }
  }
  return undefined;
}
