import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type Applied, applyDesired } from "./apply/apply-desired.ts";
import { readDesired } from "./apply/read-desired.ts";
import { Directory, type TenantOption, withTenantOption } from "./directory.ts";

/** `apply`: the directory becomes what files say. */
export function addApplyCommand(program: Command, context: CommandContext): void {
  withTenantOption(program.command("apply"))
    .description("make applications, users, groups, permissions and roles what files say; again, and nothing changes")
    .requiredOption("-f, --file <file>", "a JSON file, or a directory of them")
    .addHelpText(
      "after",
      `
A file is an application's manifest, or an object with lists:
  applications  manifests, found by appId or else by name
  users         {userPrincipalName, displayName, …, passwordFile}; the password counts when the user is made
  groups        {displayName, description, members: [name or id, …]}; members are exactly these
  permissions   {client, resource, scopes: […], appRoles: […]}; consented to for everybody
  roles         {application, role, principals: [name or id, …]}
What no file names is left alone.

Example:
  $ trefoil apply -f directory/`,
    )
    .action(async (options: TenantOption & { readonly file: string }) => {
      const desired = await readDesired(options.file);
      const results: Applied[] = [];
      for await (const applied of applyDesired({ directory: new Directory(context, options), context }, desired)) {
        results.push(applied);
        context.print(`${applied.result.padEnd(10)}${applied.kind.padEnd(13)}${applied.name}`);
      }
      if (context.wantsJson) {
        context.printJson(results);
      } else if (results.length === 0) {
        context.warn(`${options.file} names nothing.`);
      }
    });
}
