import type { CommandContext } from "../command-context.ts";
import { formatSize } from "../output/size.ts";

/** An account as the server's management interface describes it. */
export interface AccountDescription {
  readonly name: string;
  readonly endpoint: string;
  readonly createdAt: string;
  readonly versioning: boolean;
  readonly publicAccess: boolean;
  /** Null: no limit, and then what it keeps is not counted. */
  readonly quotaBytes: number | null;
  readonly usedBytes: number | null;
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
    ["Quota", describeQuota(account)],
    ...keys.map((key, index): [string, string] => [`Key ${index + 1}`, key]),
    ["Connection string", account.connectionString ?? ""],
  ];
  for (const [title, value] of rows) {
    context.print(`${title.padEnd(18)}${value}`);
  }
}

/** `1.5 GiB of 10 GiB`, or `none`. */
export function describeQuota({ quotaBytes, usedBytes }: AccountDescription): string {
  return quotaBytes === null ? "none" : `${formatSize(usedBytes ?? 0)} of ${formatSize(quotaBytes)}`;
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
