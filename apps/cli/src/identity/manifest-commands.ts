import { readFile, writeFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, segment, type TenantOption, withTenantOption } from "./directory.ts";

/** `app manifest get|put` */
export function addManifestCommands(applications: Command, context: CommandContext): void {
  const manifests = applications.command("manifest").description("a registration as one JSON document");

  withTenantOption(manifests.command("get <app>"))
    .description("print the manifest; certificates are shown without their value")
    .option("--output <file>", "write it to a file")
    .action(async (app: string, options: TenantOption & { readonly output?: string }) => {
      const manifest = await new Directory(context, options).ask("GET", `/applications/${segment(app)}/manifest`);
      if (options.output === undefined) {
        context.printJson(manifest);
        return;
      }
      await writeFile(options.output, `${JSON.stringify(manifest, null, 2)}\n`);
      context.print(`Wrote ${options.output}.`);
    });

  withTenantOption(manifests.command("put <app>"))
    .description("change the registration to what the manifest says; a certificate without value stays as it is")
    .requiredOption("--file <file>", "the manifest, - for standard input")
    .action(async (app: string, options: TenantOption & { readonly file: string }) => {
      const manifest = await readJson(context, options.file);
      const changed = await new Directory(context, options).ask(
        "PUT",
        `/applications/${segment(app)}/manifest`,
        manifest,
      );
      if (context.wantsJson) {
        context.printJson(changed);
      }
      context.print(`${app} is as the manifest says.`);
    });
}

/** A JSON document from a file or from standard input. */
export async function readJson(context: CommandContext, file: string): Promise<unknown> {
  let text: string;
  try {
    text = file === "-" ? await readAll(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    return context.fail(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return context.fail(`${file} is not JSON: ${(error as Error).message}`);
  }
}
