import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { Directory, segment, type TenantOption, withTenantOption } from "./directory.ts";

interface User {
  readonly id: string;
  readonly userPrincipalName: string;
  readonly displayName: string;
  readonly givenName: string | null;
  readonly surname: string | null;
  readonly mail: string | null;
  readonly accountEnabled: boolean;
  readonly createdDateTime: string;
}

interface PasswordOptions extends TenantOption {
  readonly passwordFile?: string;
  readonly mustChangePassword?: boolean;
}

interface CreateOptions extends PasswordOptions {
  readonly displayName?: string;
  readonly givenName?: string;
  readonly surname?: string;
  readonly mail?: string;
}

/** `user create|list|show|delete|set-password|unlock` */
export function addUserCommands(program: Command, context: CommandContext): void {
  const users = program.command("user").description("people who sign in");

  withPasswordOptions(withTenantOption(users.command("create <name>")))
    .description("make a user, for example: user create alice@contoso.example --password-file pw.txt")
    .option("--display-name <name>", "what people call the user")
    .option("--given-name <name>", "given name")
    .option("--surname <name>", "family name")
    .option("--mail <address>", "mail address")
    .action(async (name: string, options: CreateOptions) => {
      const { displayName, givenName, surname, mail } = options;
      const passwordProfile = await readPasswordProfile(context, name, options);
      const body = { userPrincipalName: name, displayName, givenName, surname, mail, passwordProfile };
      showUser(context, await new Directory(context, options).ask("POST", "/users", body));
    });

  withTenantOption(users.command("list"))
    .description("all users of the tenant")
    .action(async (options: TenantOption) => {
      const all = await new Directory(context, options).list<User>("/users");
      if (context.wantsJson) {
        context.printJson(all);
        return;
      }
      context.printTable(
        all.map((user) => ({
          id: user.id,
          "user name": user.userPrincipalName,
          name: user.displayName,
          enabled: user.accountEnabled ? "yes" : "no",
        })),
      );
    });

  withTenantOption(users.command("show <user>"))
    .description("one user by sign-in name or object id")
    .action(async (user: string, options: TenantOption) => {
      showUser(context, await new Directory(context, options).ask("GET", `/users/${segment(user)}`));
    });

  withTenantOption(users.command("delete <user>"))
    .description("remove a user; refresh tokens stop working at once")
    .action(async (user: string, options: TenantOption) => {
      await new Directory(context, options).ask("DELETE", `/users/${segment(user)}`);
      context.print(`Deleted ${user}.`);
    });

  withPasswordOptions(withTenantOption(users.command("set-password <user>")))
    .description("set a new password; sign-ins made with the old one end")
    .action(async (user: string, options: PasswordOptions) => {
      const passwordProfile = await readPasswordProfile(context, user, options);
      await new Directory(context, options).ask("PATCH", `/users/${segment(user)}`, { passwordProfile });
      context.print(`The password of ${user} is set.`);
    });

  withTenantOption(users.command("unlock <user>"))
    .description("let a user try again at once who failed too often")
    .action(async (user: string, options: TenantOption) => {
      await new Directory(context, options).ask("POST", `/users/${segment(user)}/unlock`);
      context.print(`${user} may try again.`);
    });

  addFactorCommands(users.command("factor").description("authenticator applications of a user"), context);
}

interface Factor {
  readonly id: string;
  readonly createdDateTime: string;
}

/** `user factor list|remove`: users add their own at `/account`. */
function addFactorCommands(factors: Command, context: CommandContext): void {
  const path = (user: string): string => `/users/${segment(user)}/authentication/softwareOathMethods`;

  withTenantOption(factors.command("list <user>"))
    .description("the user's authenticator applications")
    .action(async (user: string, options: TenantOption) => {
      const all = await new Directory(context, options).list<Factor>(path(user));
      if (context.wantsJson) {
        context.printJson(all);
        return;
      }
      context.printTable(all.map(({ id, createdDateTime }) => ({ id, since: createdDateTime })));
    });

  withTenantOption(factors.command("remove <user> <id>"))
    .description("take one away, for whoever lost his telephone")
    .action(async (user: string, id: string, options: TenantOption) => {
      await new Directory(context, options).ask("DELETE", `${path(user)}/${segment(id)}`);
      context.print(`Removed ${id}.`);
    });
}

function withPasswordOptions(command: Command): Command {
  return command
    .option("--password-file <file>", "file with the password, - for standard input (default: asked for)")
    .option("--must-change-password", "the password is good for being changed only");
}

async function readPasswordProfile(context: CommandContext, user: string, options: PasswordOptions): Promise<object> {
  return {
    password: await context.readSecret({ file: options.passwordFile, what: `password of ${user}` }),
    forceChangePasswordNextSignIn: options.mustChangePassword === true,
  };
}

function showUser(context: CommandContext, user: User): void {
  if (context.wantsJson) {
    context.printJson(user);
    return;
  }
  const lines: readonly (readonly [string, string | null])[] = [
    ["User", user.userPrincipalName],
    ["Id", user.id],
    ["Name", user.displayName],
    ["Given name", user.givenName],
    ["Family name", user.surname],
    ["Mail", user.mail],
    ["Enabled", user.accountEnabled ? "yes" : "no"],
    ["Created", user.createdDateTime],
  ];
  for (const [title, value] of lines) {
    if (value !== null) {
      context.print(`${title.padEnd(13)}${value}`);
    }
  }
}
