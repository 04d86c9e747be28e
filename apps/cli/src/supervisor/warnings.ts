import { findOpenFilesWarning } from "@trefoil/server-process/open-files";
import type { CommandContext } from "../command-context.ts";

/** What a start says before anything else, on standard error: about the configuration and the open-file limit. */
export async function printWarnings(context: CommandContext): Promise<void> {
  const { warnings } = await context.configuration();
  const openFiles = await findOpenFilesWarning();
  for (const warning of openFiles === undefined ? warnings : [...warnings, openFiles]) {
    context.warn(`WARNING: ${warning}`);
  }
}
