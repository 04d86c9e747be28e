import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { accountPath } from "./account.ts";

interface SasOptions {
  readonly container?: string;
  readonly blob?: string;
  readonly permissions?: string;
  readonly expires: number;
  readonly ip?: string;
  readonly httpsOnly?: boolean;
  readonly encryptionScope?: string;
}

interface CreatedSas {
  readonly url: string;
  readonly sas: string;
  readonly expiresAt: string;
}

/** `account sas` */
export function addSasCommand(account: Command, context: CommandContext): void {
  account
    .command("sas")
    .description("make a URL with a shared access signature: for the account, a container or a blob")
    .argument("<name>", "the account's name")
    .option("--container <name>", "only this container")
    .option("--blob <name>", "only this blob of the container")
    .option(
      "--permissions <letters>",
      "r read, w write, d delete, l list, a add, c create, t tags … (default: r, or rl)",
    )
    .option("--expires <duration>", "how long it is good for: 30m, 12h, 7d", parseDuration, 3600)
    .option("--ip <range>", "only from this address, or from a range of them: a-b")
    .option("--https-only", "only over https")
    .option("--encryption-scope <name>", "what is written with it is encrypted with this scope")
    .addHelpText("after", "\nExample:\n  trefoil account sas photos --container album --permissions rl --expires 7d\n")
    .action(async (name: string, { permissions, expires, ...rest }: SasOptions) => {
      const server = await context.management("objects");
      const body = {
        ...rest,
        permissions: permissions ?? (rest.blob === undefined ? "rl" : "r"),
        expiresInSeconds: expires,
      };
      const made = await server.json<CreatedSas>({ method: "POST", path: accountPath(name, "/sas"), body });
      if (context.wantsJson) {
        context.printJson(made);
      } else {
        context.print(made.url);
      }
    });
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90s`, `30m`, `12h`, `7d` in seconds. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit ?? ""] ?? Number.NaN);
  if (!(seconds > 0)) {
    throw new InvalidArgumentError("a duration is a number with s, m, h or d: 30m, 12h, 7d");
  }
  return seconds;
}
