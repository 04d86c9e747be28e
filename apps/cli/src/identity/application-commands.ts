import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type Application, showApplication } from "./application.ts";
import { addCredentialCommands } from "./credential-commands.ts";
import { addFederatedCredentialCommands } from "./federated-credential-commands.ts";
import { addManifestCommands } from "./manifest-commands.ts";
import { addPermissionCommands } from "./permission-commands.ts";
import { addRoleCommands } from "./role-commands.ts";
import { Directory, segment, several, type TenantOption, withTenantOption } from "./directory.ts";

interface CreateOptions extends TenantOption {
  readonly redirectUri: readonly string[];
  readonly public?: boolean;
  readonly spa?: boolean;
  readonly appIdUri: readonly string[];
  readonly scope: readonly string[];
  readonly appRole: readonly string[];
  readonly tokenVersion: string;
  readonly idTokenImplicit?: boolean;
  readonly accessTokenImplicit?: boolean;
}

/** `app create|list|show|delete`, and what belongs to one: secrets, certificates, permissions, roles, manifest */
export function addApplicationCommands(program: Command, context: CommandContext): void {
  const applications = program.command("app").description("application registrations: clients and protected services");

  withTenantOption(applications.command("create <name>"))
    .description(
      "register an application, for example: app create orders --app-id-uri api://orders --scope Orders.Read",
    )
    .option("--redirect-uri <uri>", "where sign-in answers may go (several times)", several, [])
    .option("--public", "a public client, without a credential")
    .option("--spa", "redirect URIs belong to a single-page application")
    .option("--app-id-uri <uri>", "name under which tokens for it are asked for (several times)", several, [])
    .option("--scope <name>", "permission that users give to clients (several times)", several, [])
    .option("--app-role <name>", "role of users and applications (several times)", several, [])
    .addOption(
      new Option("--token-version <version>", "version of the access tokens made for it")
        .choices(["1", "2"])
        .default("1"),
    )
    .option("--id-token-implicit", "id tokens may come straight from the authorize endpoint")
    .option("--access-token-implicit", "access tokens may come straight from the authorize endpoint")
    .action(async (name: string, options: CreateOptions) => {
      const directory = new Directory(context, options);
      showApplication(context, await directory.ask("POST", "/applications", registration(name, options)));
    });

  withTenantOption(applications.command("list"))
    .description("all applications of the tenant")
    .action(async (options: TenantOption) => {
      const all = await new Directory(context, options).list<Application>("/applications");
      if (context.wantsJson) {
        context.printJson(all);
        return;
      }
      context.printTable(
        all.map((application) => ({
          "client id": application.appId,
          name: application.displayName,
          kind: application.isFallbackPublicClient ? "public" : "confidential",
          "app id uris": application.identifierUris.join(" "),
        })),
      );
    });

  withTenantOption(applications.command("show <app>"))
    .description("one application by client id, object id or name")
    .action(async (app: string, options: TenantOption) => {
      const path = `/applications/${segment(app)}`;
      showApplication(context, await new Directory(context, options).ask("GET", path));
    });

  withTenantOption(applications.command("delete <app>"))
    .description("remove an application; its credentials stop working at once")
    .action(async (app: string, options: TenantOption) => {
      await new Directory(context, options).ask("DELETE", `/applications/${segment(app)}`);
      context.print(`Deleted ${app}.`);
    });

  addCredentialCommands(applications, context);
  addFederatedCredentialCommands(applications, context);
  addPermissionCommands(applications, context);
  addRoleCommands(applications, context);
  addManifestCommands(applications, context);
}

/** The registration in the shape of the management interface. */
function registration(displayName: string, options: CreateOptions): object {
  const redirectUris = { redirectUris: options.redirectUri };
  const kind = options.spa === true ? "spa" : options.public === true ? "publicClient" : "web";
  return {
    displayName,
    identifierUris: options.appIdUri,
    isFallbackPublicClient: options.public === true || options.spa === true,
    api: {
      requestedAccessTokenVersion: Number(options.tokenVersion),
      oauth2PermissionScopes: options.scope.map((value) => ({ value, type: "User" })),
    },
    appRoles: options.appRole.map((value) => ({ value })),
    spa: kind === "spa" ? redirectUris : {},
    publicClient: kind === "publicClient" ? redirectUris : {},
    web: {
      ...(kind === "web" ? redirectUris : {}),
      implicitGrantSettings: {
        enableIdTokenIssuance: options.idTokenImplicit === true,
        enableAccessTokenIssuance: options.accessTokenImplicit === true,
      },
    },
  };
}
