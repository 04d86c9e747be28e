import { type Command, Argument } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type AccountDescription, accountPath } from "./account.ts";

/** `account versioning` and `account public-access`: what an administrator switches on and off for an account. */
export function addSettingCommands(account: Command, context: CommandContext): void {
  for (const setting of SETTINGS) {
    account
      .command(setting.word)
      .description(setting.description)
      .argument("<name>", "the account's name")
      .addArgument(new Argument("<state>", "what it is from now on").choices(["on", "off"]))
      .action((name: string, state: "on" | "off") => change(setting, { name, isOn: state === "on" }, context));
  }
}

interface Setting {
  readonly word: string;
  readonly field: "versioning" | "publicAccess";
  readonly title: string;
  readonly description: string;
}

const SETTINGS: readonly Setting[] = [
  {
    word: "versioning",
    field: "versioning",
    title: "Versioning",
    description: "keep what is replaced or deleted as previous versions; `off` leaves those that are there",
  },
  {
    word: "public-access",
    field: "publicAccess",
    title: "Public access",
    description: "let containers be open to everybody; `off` closes those that are, and keeps others from opening",
  },
];

async function change(
  { field, title }: Setting,
  { name, isOn }: { readonly name: string; readonly isOn: boolean },
  context: CommandContext,
): Promise<void> {
  const server = await context.management("objects");
  const path = accountPath(name, "/settings");
  const changed = await server.json<AccountDescription>({ method: "PUT", path, body: { [field]: isOn } });
  if (context.wantsJson) {
    context.printJson(changed);
    return;
  }
  context.print(`${title} is ${changed[field] ? "on" : "off"} for ${changed.name}.`);
}
