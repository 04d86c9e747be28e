import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, type TenantOption, withTenantOption } from "./directory.ts";
import { assignRole } from "./permission-commands.ts";
import { findPrincipal, findServicePrincipal } from "./principal.ts";

interface Assignment {
  readonly id: string;
  readonly appRoleId: string;
  readonly principalId: string;
  readonly principalType: string;
  readonly principalDisplayName: string;
}

/** `app role assign|list|remove`: who has which role of an application. */
export function addRoleCommands(applications: Command, context: CommandContext): void {
  const roles = applications.command("role").description("who has which role of an application");

  withTenantOption(roles.command("assign <app> <role> <principal>"))
    .description("give a role to a user, a group or another application, by name or id")
    .action(async (app: string, role: string, principal: string, options: TenantOption) => {
      const directory = new Directory(context, options);
      const resource = await findServicePrincipal(directory, context, app);
      const found = resource.appRoles.find((each) => each.value.toLowerCase() === role.toLowerCase());
      const { id, displayName } = await findPrincipal(directory, context, principal);
      await assignRole(directory, id, resource.id, found?.id ?? context.fail(`${app} has no role '${role}'`));
      context.print(`${displayName} has the role ${role} of ${app}.`);
    });

  withTenantOption(roles.command("list <app>"))
    .description("who has a role")
    .action(async (app: string, options: TenantOption) => {
      const directory = new Directory(context, options);
      const resource = await findServicePrincipal(directory, context, app);
      const all = await directory.list<Assignment>(`/servicePrincipals/${resource.id}/appRoleAssignedTo`);
      if (context.wantsJson) {
        context.printJson(all);
        return;
      }
      context.printTable(
        all.map((each) => ({
          id: each.id,
          role: resource.appRoles.find((role) => role.id === each.appRoleId)?.value ?? "(access without a role)",
          name: each.principalDisplayName,
          kind: each.principalType,
        })),
      );
    });

  withTenantOption(roles.command("remove <app> <id>"))
    .description("take a role away")
    .action(async (app: string, id: string, options: TenantOption) => {
      const directory = new Directory(context, options);
      const resource = await findServicePrincipal(directory, context, app);
      await directory.ask("DELETE", `/servicePrincipals/${resource.id}/appRoleAssignedTo/${id}`);
      context.print(`Removed ${id}.`);
    });
}
