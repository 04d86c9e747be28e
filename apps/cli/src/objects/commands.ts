import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** An account as the server's management interface describes it. */
interface AccountDescription {
  readonly name: string;
  readonly endpoint: string;
  readonly createdAt: string;
  readonly keys?: readonly string[];
  readonly connectionString?: string;
}

/** The words of the objects server. */
export function addObjectsCommands(program: Command, context: CommandContext): void {
  const account = program.command("account").description("storage accounts and their keys");

  account
    .command("list")
    .description("every storage account, without keys")
    .action(async () => {
      const server = await context.management("objects");
      const path = "/management/accounts";
      const { accounts } = await server.json<{ accounts: AccountDescription[] }>({ method: "GET", path });
      context.printTable(
        accounts.map(({ name, endpoint, createdAt }) => ({ name, endpoint, createdAt })),
        ["name", "endpoint", "createdAt"],
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
      const path = `/management/accounts/${encodeURIComponent(name)}`;
      show(await server.json<AccountDescription>({ method: "GET", path }), context);
    });

  account
    .command("create")
    .description("make a storage account; prints its keys and connection string")
    .argument("<name>", "3 to 24 lower-case letters and digits")
    .option("--key <base64>", "a key to bring along (once or twice); what is missing is made up", collect, [])
    .option("--key-file <file>", "a file with the first key (`-`: standard input), so that it is in no process list")
    .addHelpText(
      "after",
      "\nExamples:\n  trefoil account create photos\n  trefoil account create photos --key-file key.txt\n",
    )
    .action(async (name: string, options: { key: string[]; keyFile?: string }) => {
      const server = await context.management("objects");
      const fromFile =
        options.keyFile === undefined ? [] : [await context.readSecret({ file: options.keyFile, what: "account key" })];
      const body = { name, keys: [...fromFile, ...options.key] };
      show(await server.json<AccountDescription>({ method: "POST", path: "/management/accounts", body }), context);
    });
}

function show(account: AccountDescription, context: CommandContext): void {
  if (context.wantsJson) {
    context.printJson(account);
    return;
  }
  const keys = account.keys ?? [];
  const rows: [string, string][] = [
    ["Account", account.name],
    ["Endpoint", account.endpoint],
    ...keys.map((key, index): [string, string] => [`Key ${index + 1}`, key]),
    ["Connection string", account.connectionString ?? ""],
  ];
  for (const [title, value] of rows) {
    context.print(`${title.padEnd(18)}${value}`);
  }
}

/** Gathers an option that may be given several times. */
function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
