import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** The words of the objects server. */
export function addObjectsCommands(_program: Command, _context: CommandContext): void {}
