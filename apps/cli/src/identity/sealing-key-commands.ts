import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { ManagementClient } from "../management-client.ts";
import { Directory } from "./directory.ts";

interface Resealed {
  readonly resealed: number;
}

/** `sealing-key rotate`: the key that seals secrets in the databases of the data folder. (decisions/0164) */
export function addSealingKeyCommands(program: Command, context: CommandContext): void {
  const keys = program.command("sealing-key").description("what secrets in the databases are sealed with");
  const directory = new Directory(context, {});

  keys
    .command("rotate")
    .description("make a new key in the data folder's secret.key and seal everything with it; back the file up anew")
    .option("--forget-old", "then take the older keys out of the file: copies of it open nothing any more")
    .action(async (options: { readonly forgetOld?: true }) => {
      // Asked for first: a server that isn't running stops the command before anything has changed.
      const objects = await findObjects(context);
      const identity = await directory.ask<Resealed>("POST", "/sealingKey/rotate", {});
      const others = await objects?.json<Resealed>({ method: "POST", path: "/management/sealing-key/reseal" });
      if (options.forgetOld === true) {
        await directory.ask("POST", "/sealingKey/forgetOld", {});
      }
      const resealed = identity.resealed + (others?.resealed ?? 0);
      if (context.wantsJson) {
        context.printJson({ resealed, forgotOld: options.forgetOld === true });
        return;
      }
      context.print(`Sealed ${resealed} secrets with a new key.`);
      context.warn(
        options.forgetOld === true
          ? "Older backups of the databases open with the secret.key that was backed up with them."
          : "Older backups open with the older keys, which stay in secret.key.",
      );
    });
}

/** The object store of the data folder, when there is one: its accounts' keys are sealed with the same file. */
async function findObjects(context: CommandContext): Promise<ManagementClient | undefined> {
  const folder = path.join(await context.dataDirectory(), "objects");
  return existsSync(folder) ? context.management("objects") : undefined;
}
