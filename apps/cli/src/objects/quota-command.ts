import { parseSize } from "@trefoil/config";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type AccountDescription, accountPath, describeQuota } from "./account.ts";

/** `account quota`: how much an account may keep. */
export function addQuotaCommand(account: Command, context: CommandContext): void {
  account
    .command("quota")
    .description("show how much an account may keep and does keep, or change it")
    .argument("<name>", "the account's name")
    .argument("[size]", "what it may keep from now on: 500m, 10GiB; `none` for no limit", parseQuota)
    .addHelpText("after", "\nExamples:\n  trefoil account quota photos 10GiB\n  trefoil account quota photos none\n")
    .action(async (name: string, quotaBytes: number | null | undefined) => {
      const server = await context.management("objects");
      const described = await server.json<AccountDescription>(
        quotaBytes === undefined
          ? { method: "GET", path: accountPath(name) }
          : { method: "PUT", path: accountPath(name, "/quota"), body: { quotaBytes } },
      );
      const { quotaBytes: quota, usedBytes } = described;
      if (context.wantsJson) {
        context.printJson({ name, quotaBytes: quota, usedBytes });
        return;
      }
      context.print(quota === null ? `${name} has no quota.` : `${name} keeps ${describeQuota(described)}.`);
    });
}

/** @throws InvalidArgumentError for what is neither a size nor `none` */
export function parseQuota(text: string): number | null {
  if (text === "none") {
    return null;
  }
  const bytes = parseSize(text);
  if (bytes === undefined) {
    throw new InvalidArgumentError("a quota is a number of bytes, one with k, m, g or t (10GiB is one too), or none");
  }
  return bytes;
}
