import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addApplicationCommands } from "./application-commands.ts";
import { addApplyCommand } from "./apply-command.ts";
import { addAuditCommand } from "./audit-command.ts";
import { addGroupCommands } from "./group-commands.ts";
import { addManagedIdentityCommands } from "./managed-identity-commands.ts";
import { addSealingKeyCommands } from "./sealing-key-commands.ts";
import { addSigningKeyCommands } from "./signing-key-commands.ts";
import { addTenantCommands } from "./tenant-commands.ts";
import { addUserCommands } from "./user-commands.ts";

/** The words of the identity server. (rulings, Identity 13) */
export function addIdentityCommands(program: Command, context: CommandContext): void {
  addTenantCommands(program, context);
  addApplicationCommands(program, context);
  addUserCommands(program, context);
  addGroupCommands(program, context);
  addManagedIdentityCommands(program, context);
  addSigningKeyCommands(program, context);
  addSealingKeyCommands(program, context);
  addAuditCommand(program, context);
  addApplyCommand(program, context);
}
