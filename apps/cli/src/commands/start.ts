import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { isServerName, type ServerName, serverNames } from "../server-names.ts";
import { backgroundOption, startInBackground, superviseInBackground } from "../supervisor/background.ts";
import { renderOverview } from "../supervisor/overview.ts";
import { supervise } from "../supervisor/supervise.ts";
import { printWarnings } from "../supervisor/warnings.ts";

interface StartOptions {
  readonly only: readonly ServerName[];
  readonly detach?: boolean;
  readonly background?: boolean;
  readonly wait: number;
}

/** `start`. */
export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command("start")
    .description("start the servers, keep them alive, and say where they are")
    .option("--only <servers>", "identity, objects and graph, separated by commas", parseServers, serverNames)
    .option("--detach", "in the background: return when the servers are ready")
    .addOption(waitOption())
    .addOption(new Option(backgroundOption).hideHelp())
    .addHelpText(
      "after",
      `
Exit codes: 4 not ready in time; 10 configuration, 11 data folder in use, 12 port, 13 store:
these four are told at once and not tried again.

Examples:
  trefoil start --only graph --data-dir /tmp/try
  trefoil start --config /etc/trefoil.properties --detach`,
    )
    .action(async ({ only, detach, background, wait }: StartOptions) => {
      if (background === true) {
        await superviseInBackground(context, only);
        return;
      }
      await printWarnings(context);
      if (detach === true) {
        const { file } = await context.configuration();
        await startInBackground(context, { servers: only, configurationFile: file, waitSeconds: wait });
        return;
      }
      await superviseInForeground(context, only);
    });
}

export function waitOption(): Option {
  return new Option("--wait <seconds>", "with --detach: how long to wait until they are ready")
    .default(120)
    .argParser(parseSeconds);
}

function superviseInForeground(context: CommandContext, servers: readonly ServerName[]): Promise<void> {
  return supervise(context, {
    servers,
    isDetached: false,
    report: (line) => context.warn(`trefoil: ${line}`),
    onReady: (dataDirectory, { addresses }) => {
      context.print(renderOverview(dataDirectory, addresses));
      context.print("\nReady. Ctrl-C stops all of it.");
    },
  });
}

function parseServers(text: string): readonly ServerName[] {
  const words = text.split(",").map((word) => word.trim());
  const wrong = words.find((word) => !isServerName(word));
  if (wrong !== undefined) {
    throw new InvalidArgumentError(`"${wrong}" is none of ${serverNames.join(", ")}.`);
  }
  return serverNames.filter((server) => words.includes(server));
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 86_400)) {
    throw new InvalidArgumentError("a number of seconds, at most 86400.");
  }
  return seconds;
}
