import { type Configuration, loadConfiguration } from "@trefoil/config";
import { certificateAuthorityFile, cliTokenFile } from "@trefoil/installation";
import type { CommandContext } from "./command-context.ts";
import { CommandFailure, exitCodes } from "./command-failure.ts";
import { readSecret } from "./input/read-secret.ts";
import { openManagementClient } from "./management-client.ts";
import { createProgressBar } from "./output/progress-bar.ts";
import { renderTable } from "./output/table.ts";
import { readServerState } from "./supervisor/running.ts";

/** The program's own options, understood everywhere on the line. */
export interface GlobalOptions {
  readonly config?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** The context of this process: its working directory, environment and streams. */
export function createContext(readOptions: () => GlobalOptions): CommandContext {
  let loaded: Promise<Configuration> | undefined;
  const configuration = (): Promise<Configuration> => {
    const { config, dataDir } = readOptions();
    loaded ??= loadConfiguration({
      file: config,
      workingDirectory: process.cwd(),
      environment: process.env,
      ...(dataDir === undefined ? {} : { overrides: { "data.directory": dataDir } }),
    });
    return loaded;
  };
  const dataDirectory = async (): Promise<string> => (await configuration()).get("data.directory");
  const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
  const wantsJson = (): boolean => readOptions().json ?? false;
  const printJson = (value: unknown): void =>
    printLine(JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? String(item) : item), 2));

  return {
    get wantsJson(): boolean {
      return wantsJson();
    },
    configuration,
    dataDirectory,
    management: async (server) => {
      const directory = await dataDirectory();
      const state = await readServerState(directory, server);
      if (state.state !== "running") {
        throw new CommandFailure(
          state.state === "starting"
            ? `the ${server} server of ${directory} is not ready`
            : `the ${server} server of ${directory} is not running; start it with: npx trefoil start`,
          exitCodes.notRunning,
        );
      }
      const { addresses } = state.run;
      const address = addresses.find(({ protocol }) => protocol === "http") ?? addresses[0];
      if (address === undefined) {
        throw new CommandFailure(`the ${server} server listens nowhere`, exitCodes.notRunning);
      }
      return openManagementClient(reachable(address.url), {
        token: cliTokenFile(directory),
        certificateAuthority: certificateAuthorityFile(directory),
      });
    },
    printTable: (rows, columns) => {
      if (wantsJson()) {
        printJson(rows);
      } else if (rows.length === 0) {
        printLine("(none)");
      } else {
        printLine(renderTable(rows, columns));
      }
    },
    printJson,
    print: (line) => {
      if (!wantsJson()) {
        printLine(line);
      }
    },
    warn: (line) => void process.stderr.write(`${line}\n`),
    fail: (message, exitCode) => {
      throw new CommandFailure(message, exitCode);
    },
    readSecret,
    progressBar: (options) => createProgressBar(options, process.stderr),
  };
}

/** A server that listens everywhere is reached on this machine, where its management interface lets us in. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
