import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, segment, several, type TenantOption, withTenantOption } from "./directory.ts";

interface ManagedIdentity {
  readonly name: string;
  readonly clientId: string;
  readonly principalId: string;
  readonly resources: readonly string[];
  readonly createdDateTime: string;
  /** Only in the answer that made it. */
  readonly identityHeader?: string;
}

/** `managed-identity create|list|delete` */
export function addManagedIdentityCommands(program: Command, context: CommandContext): void {
  const identities = program
    .command("managed-identity")
    .description("identities of hosted applications, which have no credential of their own");

  withTenantOption(identities.command("create <name>"))
    .description("make one and print the environment its application needs; the header is printed once")
    .option("--resource <app>", "what it may get tokens for (several times; default: everything)", several, [])
    .action(async (name: string, options: TenantOption & { readonly resource: readonly string[] }) => {
      const directory = new Directory(context, options);
      const made = await directory.ask<ManagedIdentity>("POST", "/managedIdentities", {
        name,
        resources: options.resource,
      });
      const identityEndpoint = await endpointOf(directory);
      if (context.wantsJson) {
        context.printJson({ ...made, identityEndpoint });
        return;
      }
      context.print(`IDENTITY_ENDPOINT=${identityEndpoint}`);
      context.print(`IDENTITY_HEADER=${made.identityHeader ?? ""}`);
      context.warn(`Client id ${made.clientId}, object id ${made.principalId}.`);
      context.warn("Note the header now: it is not shown again.");
    });

  withTenantOption(identities.command("list"))
    .description("all managed identities of the tenant")
    .action(async (options: TenantOption) => {
      const all = await new Directory(context, options).list<ManagedIdentity>("/managedIdentities");
      if (context.wantsJson) {
        context.printJson(all);
        return;
      }
      context.printTable(
        all.map((identity) => ({
          name: identity.name,
          "client id": identity.clientId,
          "object id": identity.principalId,
          resources: identity.resources.length === 0 ? "all" : identity.resources.join(" "),
        })),
      );
    });

  withTenantOption(identities.command("delete <name>"))
    .description("remove one; its header is good for nothing at once")
    .action(async (name: string, options: TenantOption) => {
      await new Directory(context, options).ask("DELETE", `/managedIdentities/${segment(name)}`);
      context.print(`Deleted ${name}.`);
    });
}

/** By name, as the certificate has it and as hosted applications are used to. */
async function endpointOf(directory: Directory): Promise<string> {
  const url = new URL("/msi/token", await directory.baseUrl());
  url.hostname = "localhost";
  return url.toString();
}
