import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addBackupCommands } from "./backup-commands.ts";
import { addExtensionCommands } from "./extension-commands.ts";
import { addImportCommand } from "./import-command.ts";
import { addUserCommands } from "./user-commands.ts";
import { addQueryCommand } from "./query-command.ts";

/** The words of the graph server. */
export function addGraphCommands(program: Command, context: CommandContext): void {
  const graph = program.command("graph").description("the graph database: statements, imports, users, extensions");
  addQueryCommand(graph, context);
  addImportCommand(graph, context);
  addExtensionCommands(graph, context);
  addUserCommands(graph, context);
  addBackupCommands(graph, context);
}
