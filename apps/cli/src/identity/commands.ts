import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** The words of the identity server. */
export function addIdentityCommands(_program: Command, _context: CommandContext): void {}
