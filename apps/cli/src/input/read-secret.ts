import { readFile } from "node:fs/promises";
import type { ReadStream } from "node:tty";
import { text as readAll } from "node:stream/consumers";
import { CommandFailure, exitCodes } from "../command-failure.ts";

export interface SecretSource {
  /** A file's name; `-` means standard input. */
  readonly file?: string | undefined;
  /** What is asked for: "password". */
  readonly what: string;
}

/** Longer than any secret; a wrong file is noticed instead of read whole into a request. */
const maxLength = 64 * 1024;

/**
 * A secret from a file, from standard input, or typed without echo. Never from an argument: others can list those.
 *
 * @throws CommandFailure for an unreadable file and for empty or far too long input
 */
export async function readSecret(
  { file, what }: SecretSource,
  input: NodeJS.ReadableStream = process.stdin,
  prompt: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  const isTerminal = "isTTY" in input && input.isTTY === true;
  const text =
    file !== undefined && file !== "-"
      ? await readFile(file, "utf8").catch((error: unknown) => {
          throw new CommandFailure(`the ${what} cannot be read: ${(error as Error).message}`);
        })
      : file === undefined && isTerminal
        ? await readTyped(what, input as ReadStream, prompt)
        : await readAll(input);
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "" || secret.length > maxLength) {
    throw new CommandFailure(`the ${what} is ${secret === "" ? "empty" : "too long"}`, exitCodes.usage);
  }
  return secret;
}

function readTyped(what: string, input: ReadStream, prompt: NodeJS.WritableStream): Promise<string> {
  prompt.write(`${what}: `);
  input.setRawMode(true);
  input.setEncoding("utf8");
  input.resume();
  let typed = "";
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      input.setRawMode(false);
      input.pause();
      input.off("data", read);
      prompt.write("\n");
    };
    const read = (chunk: string): void => {
      for (const character of chunk) {
        if (character === "\r" || character === "\n" || character === "\u0004") {
          finish();
          resolve(typed);
          return;
        }
        if (character === "\u0003") {
          finish();
          reject(new CommandFailure("interrupted"));
          return;
        }
        typed = character === "\u007f" || character === "\b" ? typed.slice(0, -1) : typed + character;
      }
    };
    input.on("data", read);
  });
}
