import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `config check` and `config show`. */
export function addConfigCommands(program: Command, context: CommandContext): void {
  const config = program.command("config").description("look at the configuration without starting anything");

  config
    .command("check")
    .description("read the configuration as a start would; warnings and the first error are printed")
    .addHelpText("after", "\nExit codes: 0 the servers would start with it, 10 they would refuse it.")
    .action(async () => {
      const { file, warnings } = await context.configuration();
      if (context.wantsJson) {
        context.printJson({ file: file ?? null, warnings });
        return;
      }
      for (const warning of warnings) {
        context.warn(`WARNING: ${warning}`);
      }
      const found = warnings.length === 0 ? "no warnings" : `${warnings.length} warning(s)`;
      context.print(`${file ?? "no file, defaults and environment only"}: ${found}`);
    });

  config
    .command("show")
    .description("print every key with its value and where it came from; secrets are not shown")
    .option("--changed", "only keys that are not at their default")
    .action(async ({ changed }: { changed?: boolean }) => {
      const entries = (await context.configuration()).describe();
      context.printTable(changed === true ? entries.filter(({ origin }) => origin !== "default") : entries);
    });
}
