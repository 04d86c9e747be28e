import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addAccountCommands } from "./account-commands.ts";
import { addBlobCommands } from "./blob-commands.ts";
import { addCheckCommand } from "./check-command.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addQuotaCommand } from "./quota-command.ts";
import { addRoleCommands } from "./role-commands.ts";
import { addScopeCommands } from "./scope-commands.ts";
import { addSasCommand } from "./sas-command.ts";
import { addSettingCommands } from "./setting-commands.ts";

/** The words of the objects server. */
export function addObjectsCommands(program: Command, context: CommandContext): void {
  const account = program.command("account").description("storage accounts, their keys and who may use them");
  addAccountCommands(account, context);
  addKeyCommands(account, context);
  addSasCommand(account, context);
  addSettingCommands(account, context);
  addQuotaCommand(account, context);
  addRoleCommands(account, context);
  addScopeCommands(account, context);
  addBlobCommands(program, context);
  addCheckCommand(program, context);
}
