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
