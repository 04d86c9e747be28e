import type { CommandContext } from "../command-context.ts";

/** An account as the server's management interface describes it. */
export interface AccountDescription {
  readonly name: string;
  readonly endpoint: string;
  readonly createdAt: string;
  readonly versioning: boolean;
  readonly publicAccess: boolean;
  readonly keys?: readonly string[];
  readonly connectionString?: string;
}

/** The path of an account, or of something below it, at the management interface. */
export function accountPath(name: string, below = ""): string {
  return `/management/accounts/${encodeURIComponent(name)}${below}`;
}

/** Shows an account with its keys. */
export function showAccount(account: AccountDescription, context: CommandContext): void {
  if (context.wantsJson) {
    context.printJson(account);
    return;
  }
  const keys = account.keys ?? [];
  const rows: [string, string][] = [
    ["Account", account.name],
    ["Endpoint", account.endpoint],
    ["Versioning", account.versioning ? "on" : "off"],
    ["Public access", account.publicAccess ? "on" : "off"],
    ...keys.map((key, index): [string, string] => [`Key ${index + 1}`, key]),
    ["Connection string", account.connectionString ?? ""],
  ];
  for (const [title, value] of rows) {
    context.print(`${title.padEnd(18)}${value}`);
  }
}

/** Every account, without keys. */
export async function listAccounts(context: CommandContext): Promise<readonly AccountDescription[]> {
  const server = await context.management("objects");
  const answer = await server.json<{ accounts: AccountDescription[] }>({ method: "GET", path: "/management/accounts" });
  return answer.accounts;
}

/** Gathers an option that may be given several times. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
