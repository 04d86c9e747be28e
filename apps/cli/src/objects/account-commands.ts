import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type AccountDescription, accountPath, collect, describeQuota, listAccounts, showAccount } from "./account.ts";
import { parseQuota } from "./quota-command.ts";

/** `account list|show|create` */
export function addAccountCommands(account: Command, context: CommandContext): void {
  account
    .command("list")
    .description("every storage account, without keys")
    .action(async () => {
      const accounts = await listAccounts(context);
      context.printTable(
        accounts.map((each) => (context.wantsJson ? each : { ...each, quota: describeQuota(each) })),
        ["name", "endpoint", "createdAt", "quota"],
      );
    });

  account
    .command("show")
    .description("one account with its keys and the connection string that clients take")
    .argument("<name>", "the account's name")
    .addHelpText(
      "after",
      "\nExample:\n  export AZURE_STORAGE_CONNECTION_STRING=$(trefoil account show NAME --json | jq -r .connectionString)\n",
    )
    .action(async (name: string) => {
      const server = await context.management("objects");
      showAccount(await server.json<AccountDescription>({ method: "GET", path: accountPath(name) }), context);
    });

  account
    .command("create")
    .description("make a storage account; prints its keys and connection string")
    .argument("<name>", "3 to 24 lower-case letters and digits")
    .option("--key <base64>", "a key to bring along (once or twice); what is missing is made up", collect, [])
    .option("--key-file <file>", "a file with the first key (`-`: standard input), so that it is in no process list")
    .option(
      "--quota <size>",
      "what it may keep at most: 500m, 10GiB, `none`; default: objects.account_quota",
      parseQuota,
    )
    .addHelpText(
      "after",
      "\nExamples:\n  trefoil account create photos --quota 10GiB\n  trefoil account create photos --key-file key.txt\n",
    )
    .action(async (name: string, options: { key: string[]; keyFile?: string; quota?: number | null }) => {
      const server = await context.management("objects");
      const fromFile =
        options.keyFile === undefined ? [] : [await context.readSecret({ file: options.keyFile, what: "account key" })];
      const body = { name, keys: [...fromFile, ...options.key], quotaBytes: options.quota };
      showAccount(
        await server.json<AccountDescription>({ method: "POST", path: "/management/accounts", body }),
        context,
      );
    });
}
