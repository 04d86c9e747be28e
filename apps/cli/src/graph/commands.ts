import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** The words of the graph server. */
export function addGraphCommands(_program: Command, _context: CommandContext): void {}
