import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, segment, type TenantOption, withTenantOption } from "./directory.ts";
import { type Principal, findPrincipal, principalRow } from "./principal.ts";

interface Group {
  readonly id: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly createdDateTime: string;
}

/** `group create|list|show|delete` and `group member add|list|remove` */
export function addGroupCommands(program: Command, context: CommandContext): void {
  const groups = program.command("group").description("sets of users, applications and other groups");

  withTenantOption(groups.command("create <name>"))
    .description('make a group, for example: group create accounting --description "Accounting department"')
    .option("--description <text>", "what it is for")
    .action(async (displayName: string, options: TenantOption & { readonly description?: string }) => {
      const body = { displayName, description: options.description };
      showGroup(context, await new Directory(context, options).ask("POST", "/groups", body));
    });

  withTenantOption(groups.command("list"))
    .description("all groups of the tenant")
    .action(async (options: TenantOption) => {
      const all = await new Directory(context, options).list<Group>("/groups");
      if (context.wantsJson) {
        context.printJson(all);
        return;
      }
      context.printTable(all.map(({ id, displayName, description }) => ({ id, name: displayName, description })));
    });

  withTenantOption(groups.command("show <group>"))
    .description("one group by name or object id")
    .action(async (group: string, options: TenantOption) => {
      showGroup(context, await new Directory(context, options).ask("GET", `/groups/${segment(group)}`));
    });

  withTenantOption(groups.command("delete <group>"))
    .description("remove a group; what it was given, its members lose")
    .action(async (group: string, options: TenantOption) => {
      await new Directory(context, options).ask("DELETE", `/groups/${segment(group)}`);
      context.print(`Deleted ${group}.`);
    });

  addMemberCommands(groups.command("member").description("who belongs to a group"), context);
}

function addMemberCommands(members: Command, context: CommandContext): void {
  withTenantOption(members.command("add <group> <member>"))
    .description("add a user, an application or another group, by name or id")
    .action(async (group: string, member: string, options: TenantOption) => {
      const directory = new Directory(context, options);
      const { id, displayName } = await findPrincipal(directory, context, member);
      await directory.ask("POST", `/groups/${segment(group)}/members/$ref`, { "@odata.id": id });
      context.print(`Added ${displayName} to ${group}.`);
    });

  withTenantOption(members.command("list <group>"))
    .description("members; with --transitive also those of groups inside")
    .option("--transitive", "also members of members")
    .action(async (group: string, options: TenantOption & { readonly transitive?: boolean }) => {
      const path = `/groups/${segment(group)}/${options.transitive === true ? "transitiveMembers" : "members"}`;
      const all = await new Directory(context, options).list<Principal>(path);
      if (context.wantsJson) {
        context.printJson(all);
        return;
      }
      context.printTable(all.map(principalRow));
    });

  withTenantOption(members.command("remove <group> <member>"))
    .description("take a member out of a group")
    .action(async (group: string, member: string, options: TenantOption) => {
      const directory = new Directory(context, options);
      const { id, displayName } = await findPrincipal(directory, context, member);
      await directory.ask("DELETE", `/groups/${segment(group)}/members/${id}/$ref`);
      context.print(`Removed ${displayName} from ${group}.`);
    });
}

function showGroup(context: CommandContext, group: Group): void {
  if (context.wantsJson) {
    context.printJson(group);
    return;
  }
  context.print(`Group        ${group.displayName}`);
  context.print(`Id           ${group.id}`);
  if (group.description !== null) {
    context.print(`Description  ${group.description}`);
  }
  context.print(`Created      ${group.createdDateTime}`);
}
