import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { accountPath } from "./account.ts";

interface EncryptionScope {
  readonly name: string;
  readonly state: "enabled" | "disabled";
  readonly createdAt: string;
}

/** `account scope create|list|disable|enable`: keys of the server's that blobs are encrypted with by name. */
export function addScopeCommands(account: Command, context: CommandContext): void {
  const scopes = account.command("scope").description("encryption scopes: keys that blobs are encrypted with by name");

  withNames(scopes.command("create"))
    .description("make one; uploads and containers may name it from then on")
    .addHelpText("after", "\nExample:\n  trefoil account scope create photos tenant-a\n")
    .action(async (name: string, scope: string) => {
      await send({ method: "POST", path: accountPath(name, "/scopes"), body: { name: scope } });
      context.print(`Encryption scope ${scope} of ${name} is made.`);
    });

  scopes
    .command("list")
    .description("every scope of an account")
    .argument("<name>", "the account's name")
    .action(async (name: string) => {
      const server = await context.management("objects");
      const path = accountPath(name, "/scopes");
      const { scopes: found } = await server.json<{ scopes: EncryptionScope[] }>({ method: "GET", path });
      context.printTable(found, ["name", "state", "createdAt"]);
    });

  withNames(scopes.command("disable"))
    .description("shut all blobs of one: they are neither read nor written until it is enabled again")
    .action((name: string, scope: string) => setState(name, scope, false));

  withNames(scopes.command("enable"))
    .description("open the blobs of one again")
    .action((name: string, scope: string) => setState(name, scope, true));

  async function setState(name: string, scope: string, enabled: boolean): Promise<void> {
    const path = accountPath(name, `/scopes/${encodeURIComponent(scope)}`);
    await send({ method: "PUT", path, body: { enabled } });
    context.print(`Encryption scope ${scope} of ${name} is ${enabled ? "enabled" : "disabled"}.`);
  }

  async function send(request: { method: "POST" | "PUT"; path: string; body: object }): Promise<void> {
    const server = await context.management("objects");
    const answer = await server.json(request);
    if (context.wantsJson) {
      context.printJson(answer);
    }
  }
}

function withNames(command: Command): Command {
  return command
    .argument("<name>", "the account's name")
    .argument("<scope>", "3 to 63 lower-case letters, digits and single dashes");
}
