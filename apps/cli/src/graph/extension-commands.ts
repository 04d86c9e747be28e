import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

interface Extension {
  readonly packageName: string;
  readonly mounts: readonly string[];
  readonly routes: readonly string[];
  readonly procedures: readonly string[];
  readonly functions: readonly string[];
}

/** `graph extensions list|reload`: the modules in the plugins directory of the running server. */
export function addExtensionCommands(graph: Command, context: CommandContext): void {
  const extensions = graph.command("extensions").description("modules that add paths, procedures and functions");
  extensions
    .command("list")
    .description("what is loaded")
    .action(async () => {
      const client = await context.management("graph");
      show(await client.json<Answer>({ method: "GET", path: "/management/extensions" }), context);
    });
  extensions
    .command("reload")
    .description("load all modules anew; when one fails, those that are loaded stay")
    .action(async () => {
      const client = await context.management("graph");
      show(await client.json<Answer>({ method: "POST", path: "/management/extensions/reload" }), context);
    });
}

interface Answer {
  readonly extensions: readonly Extension[];
}

function show({ extensions }: Answer, context: CommandContext): void {
  if (context.wantsJson) {
    context.printJson(extensions);
    return;
  }
  if (extensions.length === 0) {
    context.print("No extensions are loaded.");
    return;
  }
  context.printTable(
    extensions.map(({ packageName, mounts, routes, procedures, functions }) => ({
      package: packageName,
      mounts: mounts.join(", "),
      routes: routes.length,
      procedures: procedures.join(", "),
      functions: functions.join(", "),
    })),
  );
}
