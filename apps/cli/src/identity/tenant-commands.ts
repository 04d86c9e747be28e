import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, segment } from "./directory.ts";

interface Tenant {
  readonly id: string;
  readonly displayName: string;
  readonly createdDateTime: string;
  readonly verifiedDomains: readonly { readonly name: string; readonly isDefault: boolean }[];
}

/** `tenant create|list|show` */
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
}
