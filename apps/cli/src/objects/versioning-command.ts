import { type Command, Argument } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type AccountDescription, accountPath } from "./account.ts";

/** `account versioning` */
export function addVersioningCommand(account: Command, context: CommandContext): void {
  account
    .command("versioning")
    .description("keep what is replaced or deleted as previous versions; `off` leaves those that are there")
    .argument("<name>", "the account's name")
    .addArgument(new Argument("<state>", "whether it is kept").choices(["on", "off"]))
    .action(async (name: string, state: "on" | "off") => {
      const server = await context.management("objects");
      const path = accountPath(name, "/settings");
      const changed = await server.json<AccountDescription>({
        method: "PUT",
        path,
        body: { versioning: state === "on" },
      });
      if (context.wantsJson) {
        context.printJson(changed);
        return;
      }
      context.print(`Versioning is ${changed.versioning ? "on" : "off"} for ${changed.name}.`);
    });
}
