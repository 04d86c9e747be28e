import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addApplicationCommands } from "./application-commands.ts";
import { addTenantCommands } from "./tenant-commands.ts";
import { addUserCommands } from "./user-commands.ts";

/** The words of the identity server: `tenant`, `app` and `user`. (rulings, Identity 13) */
export function addIdentityCommands(program: Command, context: CommandContext): void {
  addTenantCommands(program, context);
  addApplicationCommands(program, context);
  addUserCommands(program, context);
}
