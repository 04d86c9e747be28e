import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { accountPath } from "./account.ts";

interface RoleOptions {
  readonly principal: string;
  readonly role: string;
  readonly container?: string;
}

interface RoleAssignment {
  readonly principal: string;
  readonly role: string;
  readonly container?: string;
  readonly assignedAt: string;
}

const ROLES = ["Reader", "Contributor", "Owner"];

/** `account role add|list|remove`: what users and applications of the identity provider may do with their tokens. */
export function addRoleCommands(account: Command, context: CommandContext): void {
  const roles = account.command("role").description("who may do what with a token of the identity provider");

  withRoleOptions(roles.command("add"))
    .description("let a user or an application in")
    .addHelpText(
      "after",
      "\nExample:\n  trefoil account role add photos --principal 00000000-0000-0000-0000-000000000000 --role Reader\n",
    )
    .action(async (name: string, options: RoleOptions) => {
      await send(context, name, "/roles", options);
      context.print(`${options.principal} is ${options.role} of ${placeOf(name, options)}.`);
    });

  withRoleOptions(roles.command("remove"))
    .description("take an assignment back; it ends at once")
    .action(async (name: string, options: RoleOptions) => {
      await send(context, name, "/roles/remove", options);
      context.print(`${options.principal} is no longer ${options.role} of ${placeOf(name, options)}.`);
    });

  roles
    .command("list")
    .description("every assignment of an account")
    .argument("<name>", "the account's name")
    .action(async (name: string) => {
      const server = await context.management("objects");
      const path = accountPath(name, "/roles");
      const { roles: assigned } = await server.json<{ roles: RoleAssignment[] }>({ method: "GET", path });
      context.printTable(assigned, ["principal", "role", "container", "assignedAt"]);
    });
}

function withRoleOptions(command: Command): Command {
  return command
    .argument("<name>", "the account's name")
    .requiredOption(
      "--principal <id>",
      "object id of a user or of an application's service principal (`oid` in tokens)",
    )
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory())
    .option("--container <name>", "only in this container; default: the whole account");
}

async function send(context: CommandContext, name: string, below: string, body: RoleOptions): Promise<void> {
  const server = await context.management("objects");
  await server.json({ method: "POST", path: accountPath(name, below), body });
  if (context.wantsJson) {
    context.printJson(body);
  }
}

function placeOf(name: string, { container }: RoleOptions): string {
  return container === undefined ? `the account ${name}` : `the container ${container} of ${name}`;
}
