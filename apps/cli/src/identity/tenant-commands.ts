import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, segment } from "./directory.ts";

interface Tenant {
  readonly id: string;
  readonly displayName: string;
  readonly createdDateTime: string;
  readonly requiresSecondFactor: boolean;
  readonly toleratesLineBreaksInX5c: boolean;
  readonly verifiedDomains: readonly { readonly name: string; readonly isDefault: boolean }[];
}

/** `tenant create|list|show|update` */
export function addTenantCommands(program: Command, context: CommandContext): void {
  const tenants = program.command("tenant").description("directories: each has its own users and applications");
  const directory = new Directory(context, {});

  tenants
    .command("create <domain>")
    .description("make a tenant, for example: tenant create fabrikam.example --display-name Fabrikam")
    .option("--display-name <name>", "what people call it (default: the domain)")
    .action(async (domain: string, options: { displayName?: string }) => {
      showTenant(context, await directory.ask("POST", "/tenants", { domain, ...options }));
    });

  tenants
    .command("list")
    .description("all tenants, the default one first")
    .action(async () => {
      const all = await directory.list<Tenant>("/tenants");
      if (context.wantsJson) {
        context.printJson(all);
      } else {
        context.printTable(
          all.map(({ id, displayName, verifiedDomains }) => ({
            id,
            name: displayName,
            domains: verifiedDomains.map((each) => each.name).join(" "),
          })),
        );
      }
    });

  tenants
    .command("show [tenant]")
    .description("one tenant by id or domain (default: the first)")
    .action(async (name: string | undefined) => {
      const tenant =
        name === undefined
          ? (await directory.list<Tenant>("/organization"))[0]
          : await directory.ask<Tenant>("GET", `/tenants/${segment(name)}`);
      if (tenant !== undefined) {
        showTenant(context, tenant);
      }
    });

  const choice = (flag: string, meaning: string): Option =>
    new Option(`${flag} <choice>`, meaning).choices(["yes", "no"]);
  tenants
    .command("update <tenant>")
    .description("change what counts for a whole tenant")
    .option("--display-name <name>", "what people call it")
    .addOption(choice("--require-second-factor", "whether users must set up an authenticator application"))
    .addOption(choice("--tolerate-line-breaks", "whether x5c of client assertions may hold line breaks"))
    .action(async (name: string, options: UpdateOptions) => {
      await directory.ask("PATCH", `/tenants/${segment(name)}`, {
        displayName: options.displayName,
        requiresSecondFactor: flagOf(options.requireSecondFactor),
        toleratesLineBreaksInX5c: flagOf(options.tolerateLineBreaks),
      });
      showTenant(context, await directory.ask<Tenant>("GET", `/tenants/${segment(name)}`));
    });
}

interface UpdateOptions {
  readonly displayName?: string;
  readonly requireSecondFactor?: string;
  readonly tolerateLineBreaks?: string;
}

function flagOf(choice: string | undefined): boolean | undefined {
  return choice === undefined ? undefined : choice === "yes";
}

function showTenant(context: CommandContext, tenant: Tenant): void {
  if (context.wantsJson) {
    context.printJson(tenant);
    return;
  }
  context.print(`Tenant    ${tenant.displayName}`);
  context.print(`Id        ${tenant.id}`);
  context.print(`Domains   ${tenant.verifiedDomains.map((each) => each.name).join(" ")}`);
  context.print(`Created   ${tenant.createdDateTime}`);
  if (tenant.requiresSecondFactor) {
    context.print("Factors   every user needs a second one");
  }
  if (tenant.toleratesLineBreaksInX5c) {
    context.print("x5c       may hold line breaks");
  }
}
