import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, segment, several, type TenantOption, withTenantOption } from "./directory.ts";

interface FederatedCredential {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
}

interface AddOptions extends TenantOption {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly audience: readonly string[];
}

/** `app federated-credential add|list|remove`: outside issuers whose tokens count as the application's credential. */
export function addFederatedCredentialCommands(applications: Command, context: CommandContext): void {
  const credentials = applications
    .command("federated-credential")
    .description("outside issuers whose tokens count as the client's credential");
  const path = (app: string): string => `/applications/${segment(app)}/federatedIdentityCredentials`;

  withTenantOption(credentials.command("add <app>"))
    .description("trust an issuer's tokens for one subject; its keys are found by OpenID discovery")
    .requiredOption("--name <name>", "to recognise it by")
    .requiredOption("--issuer <url>", "`iss` of the tokens")
    .requiredOption("--subject <subject>", "`sub` of the tokens")
    .option(
      "--audience <audience>",
      "`aud` of the tokens (several times; default: api://AzureADTokenExchange)",
      several,
      [],
    )
    .action(async (app: string, options: AddOptions) => {
      const { name, issuer, subject, audience } = options;
      const body = { name, issuer, subject, ...(audience.length === 0 ? {} : { audiences: audience }) };
      show(context, [await new Directory(context, options).ask<FederatedCredential>("POST", path(app), body)]);
    });

  withTenantOption(credentials.command("list <app>"))
    .description("the application's federated credentials")
    .action(async (app: string, options: TenantOption) => {
      show(context, await new Directory(context, options).list<FederatedCredential>(path(app)));
    });

  withTenantOption(credentials.command("remove <app> <name>"))
    .description("remove one by its name or id; tokens of the issuer stop working at once")
    .action(async (app: string, name: string, options: TenantOption) => {
      await new Directory(context, options).ask("DELETE", `${path(app)}/${segment(name)}`);
      context.print(`Removed ${name}.`);
    });
}

function show(context: CommandContext, credentials: readonly FederatedCredential[]): void {
  if (context.wantsJson) {
    context.printJson(credentials);
    return;
  }
  context.printTable(
    credentials.map(({ name, issuer, subject, audiences }) => ({
      name,
      issuer,
      subject,
      audiences: audiences.join(" "),
    })),
  );
}
