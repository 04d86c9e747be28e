import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { Application } from "./application.ts";
import { Directory, quoted, segment, several, type TenantOption, withTenantOption } from "./directory.ts";
import { findServicePrincipal, type ServicePrincipal } from "./principal.ts";

interface AddOptions extends TenantOption {
  readonly resource: string;
  readonly scope: readonly string[];
  readonly appRole: readonly string[];
  readonly adminConsent?: boolean;
}

/** A consent as the management interface shows it. */
interface PermissionGrant {
  readonly id: string;
  readonly clientId: string;
  readonly resourceId: string;
  readonly consentType: string;
  readonly principalId: string | null;
  readonly scope: string;
}

/** `app permission add|list|remove`: what an application may do with another one. */
export function addPermissionCommands(applications: Command, context: CommandContext): void {
  const permissions = applications.command("permission").description("what an application may ask of another one");

  withTenantOption(permissions.command("add <app>"))
    .description(
      "ask for permissions; with --admin-consent they are given to everybody who uses it, and roles to itself",
    )
    .requiredOption("--resource <app>", "the protected application: client id, App ID URI or name")
    .option("--scope <name>", "permission on behalf of users (several times)", several, [])
    .option("--app-role <name>", "role of the application itself (several times)", several, [])
    .option("--admin-consent", "consent at once, as an administrator for everybody")
    .addHelpText(
      "after",
      `
Example:
  $ trefoil app permission add web-shop --resource api://orders --scope Orders.Read --admin-consent`,
    )
    .action(async (app: string, options: AddOptions) => {
      if (options.scope.length + options.appRole.length === 0) {
        context.fail("name at least one --scope or --app-role");
      }
      const directory = new Directory(context, options);
      const resource = await findServicePrincipal(directory, context, options.resource);
      const access = [
        ...options.scope.map((name) => ({ id: idOf(context, resource, "scope", name), type: "Scope" })),
        ...options.appRole.map((name) => ({ id: idOf(context, resource, "role", name), type: "Role" })),
      ];
      await addRequiredAccess(directory, app, resource.appId, access);
      if (options.adminConsent === true) {
        await consent(directory, context, app, resource, options);
      }
      context.print(
        `${app} ${options.adminConsent === true ? "has" : "asks for"} ` +
          `${[...options.scope, ...options.appRole].join(", ")} of ${resource.displayName}.`,
      );
      if (context.wantsJson) {
        context.printJson({ resourceAppId: resource.appId, resourceAccess: access });
      }
    });

  withTenantOption(permissions.command("list <app>"))
    .description("consents that the application has")
    .action(async (app: string, options: TenantOption) => {
      const directory = new Directory(context, options);
      const grants = await grantsOf(directory, context, app);
      if (context.wantsJson) {
        context.printJson(grants);
        return;
      }
      const principals = await directory.list<ServicePrincipal>("/servicePrincipals");
      context.printTable(
        grants.map((grant) => ({
          id: grant.id,
          resource: principals.find((each) => each.id === grant.resourceId)?.displayName ?? grant.resourceId,
          scopes: grant.scope,
          for: grant.principalId ?? "everybody",
        })),
      );
    });

  withTenantOption(permissions.command("remove <app> <id>"))
    .description("withdraw a consent")
    .action(async (app: string, id: string, options: TenantOption) => {
      const directory = new Directory(context, options);
      const grant = (await grantsOf(directory, context, app)).find((each) => each.id === id);
      await directory.ask(
        "DELETE",
        `/oauth2PermissionGrants/${grant?.id ?? context.fail(`${app} has no consent ${id}`)}`,
      );
      context.print(`Withdrew ${id}.`);
    });
}

async function grantsOf(
  directory: Directory,
  context: CommandContext,
  app: string,
): Promise<readonly PermissionGrant[]> {
  const { id } = await findServicePrincipal(directory, context, app);
  return directory.list<PermissionGrant>(`/oauth2PermissionGrants?$filter=${segment(`clientId eq ${quoted(id)}`)}`);
}

function idOf(context: CommandContext, resource: ServicePrincipal, kind: "scope" | "role", name: string): string {
  const offered = kind === "scope" ? resource.oauth2PermissionScopes : resource.appRoles;
  const names = offered.map((each) => each.value).join(", ");
  return (
    offered.find((each) => each.value.toLowerCase() === name.toLowerCase())?.id ??
    context.fail(`${resource.displayName} has no ${kind} '${name}'; it has ${names === "" ? "none" : names}`)
  );
}

interface RequiredAccess {
  readonly resourceAppId: string;
  readonly resourceAccess: readonly { readonly id: string; readonly type: string }[];
}

/** Adds to what the application asks for beforehand; what is there stays. */
async function addRequiredAccess(
  directory: Directory,
  app: string,
  resourceAppId: string,
  access: RequiredAccess["resourceAccess"],
): Promise<void> {
  const path = `/applications/${segment(app)}`;
  const { requiredResourceAccess } = await directory.ask<
    Application & { readonly requiredResourceAccess: readonly RequiredAccess[] }
  >("GET", path);
  const before = requiredResourceAccess.find((each) => each.resourceAppId === resourceAppId)?.resourceAccess ?? [];
  const added = access.filter((each) => !before.some(({ id }) => id === each.id));
  await directory.ask("PATCH", path, {
    requiredResourceAccess: [
      ...requiredResourceAccess.filter((each) => each.resourceAppId !== resourceAppId),
      { resourceAppId, resourceAccess: [...before, ...added] },
    ],
  });
}

async function consent(
  directory: Directory,
  context: CommandContext,
  app: string,
  resource: ServicePrincipal,
  options: AddOptions,
): Promise<void> {
  const { appId } = await directory.ask<Application>("GET", `/applications/${segment(app)}`);
  const client = await findServicePrincipal(directory, context, appId);
  await givePermissions(directory, context, { client, resource, scopes: options.scope, appRoles: options.appRole });
}

/** Permissions of a client on a resource, as an administrator gives them. */
export interface GivenPermissions {
  readonly client: ServicePrincipal;
  readonly resource: ServicePrincipal;
  readonly scopes: readonly string[];
  readonly appRoles: readonly string[];
}

/** Consents for everybody and assigns roles. @returns whether anything was new */
export async function givePermissions(
  directory: Directory,
  context: CommandContext,
  { client, resource, scopes, appRoles }: GivenPermissions,
): Promise<boolean> {
  if (scopes.length > 0) {
    await directory.ask("POST", "/oauth2PermissionGrants", {
      clientId: client.id,
      resourceId: resource.id,
      consentType: "AllPrincipals",
      scope: scopes.join(" "),
    });
  }
  let isNew = scopes.length > 0;
  for (const name of appRoles) {
    isNew = (await assignRole(directory, client.id, resource.id, idOf(context, resource, "role", name))) || isNew;
  }
  return isNew;
}

/** Scopes that everybody consented to, in lower case. */
export async function findGrantedScopes(
  directory: Directory,
  clientId: string,
  resourceId: string,
): Promise<readonly string[]> {
  const filter = `clientId eq ${quoted(clientId)} and resourceId eq ${quoted(resourceId)} and principalId eq null`;
  const grants = await directory.list<PermissionGrant>(`/oauth2PermissionGrants?$filter=${segment(filter)}`);
  return grants.flatMap((grant) => grant.scope.toLowerCase().split(" "));
}

interface RoleAssignment {
  readonly id: string;
  readonly principalId: string;
  readonly appRoleId: string;
}

/** @returns whether it was new to the principal */
export async function assignRole(
  directory: Directory,
  principalId: string,
  resourceId: string,
  appRoleId: string,
): Promise<boolean> {
  const path = `/servicePrincipals/${resourceId}/appRoleAssignedTo`;
  const all = await directory.list<RoleAssignment>(path);
  if (all.some((each) => each.principalId === principalId && each.appRoleId === appRoleId)) {
    return false;
  }
  await directory.ask("POST", path, { principalId, resourceId, appRoleId });
  return true;
}
