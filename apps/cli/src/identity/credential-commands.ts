import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type Application, type Credential, showCredentials } from "./application.ts";
import { Directory, segment, type TenantOption, withTenantOption } from "./directory.ts";

interface AddOptions extends TenantOption {
  readonly displayName?: string;
  readonly endDate?: string;
}

/** `app secret add|list|remove` and `app certificate add|list|remove` */
export function addCredentialCommands(applications: Command, context: CommandContext): void {
  addSecretCommands(applications.command("secret").description("secrets of a confidential client"), context);
  addCertificateCommands(
    applications.command("certificate").description("public certificates whose keys sign a client's assertions"),
    context,
  );
}

function addSecretCommands(secrets: Command, context: CommandContext): void {
  withTenantOption(secrets.command("add <app>"))
    .description("make a secret; it is printed once and kept nowhere")
    .option("--display-name <name>", "to recognise it by")
    .option("--end-date <date>", "when it stops working (default: in two years)")
    .action(async (app: string, options: AddOptions) => {
      const path = `/applications/${segment(app)}/addPassword`;
      const secret = await new Directory(context, options).ask<Credential>("POST", path, {
        passwordCredential: { displayName: options.displayName, endDateTime: options.endDate },
      });
      if (context.wantsJson) {
        context.printJson(secret);
        return;
      }
      context.print(`Secret    ${secret.secretText ?? ""}`);
      context.print(`Id        ${secret.keyId}`);
      context.print(`Until     ${secret.endDateTime}`);
      context.warn("Note the secret now: it is not shown again.");
    });

  addListAndRemove(secrets, context, "secret", {
    select: (application) => application.passwordCredentials,
    remove: (directory, app, keyId) => directory.ask("POST", `/applications/${segment(app)}/removePassword`, { keyId }),
  });
}

function addCertificateCommands(certificates: Command, context: CommandContext): void {
  withTenantOption(certificates.command("add <app> <file>"))
    .description("register a public certificate (PEM or base64 DER)")
    .option("--display-name <name>", "to recognise it by")
    .action(async (app: string, file: string, options: AddOptions) => {
      const key = await readCertificateFile(context, file);
      const certificate = await new Directory(context, options).ask<Credential>(
        "POST",
        `/applications/${segment(app)}/keyCredentials`,
        { key, displayName: options.displayName },
      );
      showCredentials(context, [certificate]);
    });

  addListAndRemove(certificates, context, "certificate", {
    select: (application) => application.keyCredentials,
    remove: (directory, app, keyId) =>
      directory.ask("DELETE", `/applications/${segment(app)}/keyCredentials/${segment(keyId)}`),
  });
}

/** What both kinds of credential have in common. */
function addListAndRemove(
  command: Command,
  context: CommandContext,
  what: string,
  kind: {
    readonly select: (application: Application) => readonly Credential[];
    readonly remove: (directory: Directory, app: string, keyId: string) => Promise<unknown>;
  },
): void {
  withTenantOption(command.command("list <app>"))
    .description(`the application's ${what}s`)
    .action(async (app: string, options: TenantOption) => {
      const path = `/applications/${segment(app)}`;
      showCredentials(context, kind.select(await new Directory(context, options).ask<Application>("GET", path)));
    });

  withTenantOption(command.command("remove <app> <id>"))
    .description(`remove a ${what}; it stops working at once`)
    .action(async (app: string, keyId: string, options: TenantOption) => {
      await kind.remove(new Directory(context, options), app, keyId);
      context.print(`Removed ${keyId}.`);
    });
}

/** A private key in the same file is left where it is: only the certificate is sent. */
async function readCertificateFile(context: CommandContext, file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return context.fail(`${file} cannot be read: ${(error as Error).message}`);
  }
  const text = bytes.toString("latin1");
  const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(text)?.[0];
  if (pem !== undefined) {
    return pem;
  }
  return /^[\w+/=\s]+$/.test(text) ? text : bytes.toString("base64");
}
