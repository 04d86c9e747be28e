import type { Command } from "commander";
import { expect, test, vi } from "vitest";
import { createProgram, runCommandLine } from "./program.ts";
import { nextSteps } from "./supervisor/overview.ts";

function flatten(command: Command): Command[] {
  return [command, ...command.commands.flatMap(flatten)];
}

test("every word has a description and a help", () => {
  for (const command of flatten(createProgram())) {
    expect(command.description(), command.name()).not.toBe("");
    expect(command.helpInformation(), command.name()).toContain("--help");
  }
});

test("what a start says to try next are words of the program, with their arguments", () => {
  for (const [, line] of nextSteps) {
    const words = line.replace("npx trefoil ", "").match(/"[^"]*"|\S+/g) ?? [];
    let command: Command = createProgram();
    while (command.commands.some((child) => child.name() === words[0])) {
      command = command.commands.find((child) => child.name() === words[0]) ?? command;
      words.shift();
    }
    expect(command.commands, line).toEqual([]);
    const required = command.registeredArguments.filter((argument) => argument.required);
    expect(words.length, line).toBeGreaterThanOrEqual(required.length);
  }
});

test.each([
  [["nonsense"], 2],
  [["start", "--only", "nothing"], 2],
  [["status", "--nonsense"], 2],
  [["--version"], 0],
  [["start", "--help"], 0],
])("%j ends with %d", async (words, code) => {
  const output = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await runCommandLine(words)).toBe(code);
  output.mockRestore();
  errors.mockRestore();
});
