import { type Command } from "./command.ts";
import { CONSOLE_COMMANDS } from "./console-commands.ts";
import { INFORMATION_COMMANDS } from "./information-commands.ts";
import { PARAMETER_COMMANDS } from "./parameter-commands.ts";
import { REQUEST_COMMANDS } from "./request-commands.ts";
import { SERVER_COMMAND } from "./server-command.ts";

/** Every command, in the order `:help commands` lists them. */
export const COMMANDS: readonly Command[] = [
  ...INFORMATION_COMMANDS,
  ...PARAMETER_COMMANDS,
  ...CONSOLE_COMMANDS,
  SERVER_COMMAND,
  ...REQUEST_COMMANDS,
];

export function findCommand(name: string): Command | undefined {
  const wanted = name.toLowerCase();
  return COMMANDS.find((command) => command.name === wanted || command.aliases?.includes(wanted) === true);
}
