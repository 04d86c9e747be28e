import type { Command } from "commander";
import { readFile } from "node:fs/promises";
import type { CommandContext } from "../command-context.ts";

interface User {
  readonly name: string;
  readonly role: string;
  readonly passwordChangeRequired: boolean;
}

const ROLE_HELP = "reader, editor, publisher, architect or admin";

/** `graph user …` and `graph import-auth`: the accounts of the running server. */
export function addUserCommands(graph: Command, context: CommandContext): void {
  const user = graph.command("user").description("accounts and what they may do");
  user
    .command("create")
    .description("make an account; the password is read from a file, the terminal or standard input")
    .argument("<name>")
    .requiredOption("--role <role>", ROLE_HELP)
    .option("--password-file <file>", "read the password from a file (- for standard input)")
    .option("--change-required", "the password must be changed at first use")
    .action(async (name: string, options: CreateOptions) => {
      const password = await context.readSecret({ file: options.passwordFile, what: `the password of ${name}` });
      const body = { name, role: options.role, password, passwordChangeRequired: options.changeRequired === true };
      await (await context.management("graph")).json({ method: "POST", path: "/management/users", body });
      done(context, { name, role: options.role }, `User ${name} can use the graph as ${options.role}.`);
    });
  user
    .command("list")
    .description("all accounts")
    .action(async () => {
      const client = await context.management("graph");
      const { users } = await client.json<{ readonly users: readonly User[] }>({
        method: "GET",
        path: "/management/users",
      });
      context.printTable(users, ["name", "role", "passwordChangeRequired"]);
    });
  user
    .command("delete")
    .description("remove an account")
    .argument("<name>")
    .action(async (name: string) => {
      const client = await context.management("graph");
      await client.json({ method: "DELETE", path: pathOf(name) });
      done(context, { name }, `User ${name} is gone.`);
    });
  user
    .command("set-password")
    .description("give an account another password")
    .argument("<name>")
    .option("--password-file <file>", "read the password from a file (- for standard input)")
    .option("--change-required", "the password must be changed at first use")
    .action(async (name: string, options: Omit<CreateOptions, "role">) => {
      const password = await context.readSecret({ file: options.passwordFile, what: `the new password of ${name}` });
      const body = { password, passwordChangeRequired: options.changeRequired === true };
      const client = await context.management("graph");
      await client.json({ method: "PUT", path: `${pathOf(name)}/password`, body });
      done(context, { name }, `User ${name} has a new password.`);
    });
  user
    .command("role")
    .description("change what an account may do")
    .argument("<name>")
    .argument("<role>", ROLE_HELP)
    .action(async (name: string, role: string) => {
      const client = await context.management("graph");
      await client.json({ method: "PUT", path: `${pathOf(name)}/role`, body: { role } });
      done(context, { name, role }, `User ${name} is now ${role}.`);
    });
  graph
    .command("import-auth")
    .description("take over the accounts of a 2.x installation (its file data/dbms/auth)")
    .argument("<file>")
    .action(async (file: string) => {
      const client = await context.management("graph");
      const body = { text: await readFile(file, "utf8") };
      const { imported } = await client.json<{ readonly imported: readonly string[] }>({
        method: "POST",
        path: "/management/users/import",
        body,
      });
      done(context, { imported }, `Imported: ${imported.join(", ") || "nobody"}.`);
    });
}

interface CreateOptions {
  readonly role: string;
  readonly passwordFile?: string;
  readonly changeRequired?: boolean;
}

function pathOf(name: string): string {
  return `/management/users/${encodeURIComponent(name)}`;
}

function done(context: CommandContext, result: object, line: string): void {
  if (context.wantsJson) {
    context.printJson(result);
  } else {
    context.print(line);
  }
}
