import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type AccountDescription, accountPath, showAccount } from "./account.ts";

interface RotateOptions {
  readonly which: "1" | "2";
  readonly keyFile?: string;
}

/** `account keys rotate` */
export function addKeyCommands(account: Command, context: CommandContext): void {
  const keys = account.command("keys").description("the two keys of an account");
  keys
    .command("rotate")
    .description("replace one key; the other stays valid, so that clients can be moved first")
    .argument("<name>", "the account's name")
    .addOption(new Option("--which <key>", "which of the two").choices(["1", "2"]).default("1"))
    .option("--key-file <file>", "a file with the new key (`-`: standard input); default: a random one")
    .action(async (name: string, { which, keyFile }: RotateOptions) => {
      const server = await context.management("objects");
      const key = keyFile === undefined ? undefined : await context.readSecret({ file: keyFile, what: "account key" });
      const path = accountPath(name, `/keys/${which}`);
      showAccount(await server.json<AccountDescription>({ method: "POST", path, body: { key } }), context);
    });
}
