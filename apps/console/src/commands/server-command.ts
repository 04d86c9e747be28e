import { type Command, notice } from "./command.ts";

/** `:server`: who is signed in, and where. */
export const SERVER_COMMAND: Command = {
  name: "server",
  usage: [":server status", ":server connect", ":server disconnect", ":server user", ":server change-password"],
  summary: "The connection: its state, signing in and out, the password.",
  run: ({ session, server, drawer }, argument) => {
    const { asksForCredentials, version } = session.settings.value;
    const who = session.user === undefined ? "without signing in" : `as ${session.user}`;
    switch (argument) {
      case "connect":
      case "disconnect":
        if (!asksForCredentials) {
          return notice("No one signs in here", "Authentication is off on this server.");
        }
        session.signOut();
        return undefined;
      case "change-password":
        drawer.value = "settings";
        return undefined;
      case "user":
        return notice(
          "Signed in",
          asksForCredentials ? `As ${session.user ?? ""}.` : "Authentication is off on this server.",
        );
      case "":
      case "status":
        return notice(
          server.isReachable.value ? "Connected" : "Not connected",
          `To ${location.origin} ${who}; it answers as version ${version}.`,
        );
      default:
        return notice("That is no word of :server", "Use status, connect, disconnect, user or change-password.");
    }
  },
};
