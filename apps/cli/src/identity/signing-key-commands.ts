import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory } from "./directory.ts";

interface SigningKey {
  readonly keyId: string;
  readonly isCurrent: boolean;
  readonly isPublished: boolean;
  readonly startDateTime: string;
  readonly endDateTime: string | null;
}

/** `signing-key list|rotate` */
export function addSigningKeyCommands(program: Command, context: CommandContext): void {
  const keys = program.command("signing-key").description("what tokens are signed with");
  const directory = new Directory(context, {});

  keys
    .command("list")
    .description("all keys, oldest first")
    .action(async () => showKeys(context, await directory.list<SigningKey>("/signingKeys")));

  keys
    .command("rotate")
    .description("make a new key; it is published at once, and tokens of the old one stay good until they expire")
    .option("--start-date <date>", "when it begins to sign (default: now); resource servers read keys once a day")
    .action(async (options: { readonly startDate?: string }) => {
      const body = { startDateTime: options.startDate };
      showKeys(context, [await directory.ask<SigningKey>("POST", "/signingKeys/rotate", body)]);
    });
}

/** `sealing-key rotate`: the key that seals secrets in the database. */
export function addSealingKeyCommands(program: Command, context: CommandContext): void {
  const keys = program.command("sealing-key").description("what secrets in the identity database are sealed with");
  const directory = new Directory(context, {});

  keys
    .command("rotate")
    .description("make a new key in the data folder's secret.key and seal everything with it; back the file up anew")
    .action(async () => {
      const answer = await directory.ask<{ readonly resealed: number }>("POST", "/sealingKey/rotate", {});
      if (context.wantsJson) {
        context.printJson(answer);
        return;
      }
      context.print(`Sealed ${answer.resealed} secrets with a new key.`);
      context.warn("Older backups open with the older keys, which stay in secret.key.");
    });
}

function showKeys(context: CommandContext, keys: readonly SigningKey[]): void {
  if (context.wantsJson) {
    context.printJson(keys);
    return;
  }
  context.printTable(
    keys.map((key) => ({
      id: key.keyId,
      state: key.isCurrent ? "signs" : key.isPublished ? "published" : "retired",
      from: key.startDateTime,
      until: key.endDateTime,
    })),
  );
}
