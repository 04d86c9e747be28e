import { forgetInitialSecrets, initialCredentialsFile } from "@trefoil/installation";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `credentials forget`. */
export function addCredentialsCommands(program: Command, context: CommandContext): void {
  program
    .command("credentials")
    .description("what the first start made")
    .command("forget")
    .description("remove the secrets from initial-credentials.json; names and addresses stay")
    .action(async () => {
      const directory = await context.dataDirectory();
      const hadSecrets = await forgetInitialSecrets(directory);
      if (context.wantsJson) {
        context.printJson({ file: initialCredentialsFile(directory), removed: hadSecrets });
      } else {
        context.print(
          `${initialCredentialsFile(directory)} ${hadSecrets ? "has no secrets any more" : "has no secrets"}`,
        );
      }
    });
}
