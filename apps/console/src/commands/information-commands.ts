import { findGuide } from "../guides/guide-table.ts";
import { readSchemaTables } from "../server/schema-tables.ts";
import { readSystemTables } from "../server/system-tables.ts";
import { type Command, notice } from "./command.ts";

/** Commands that tell something. */
export const INFORMATION_COMMANDS: readonly Command[] = [
  {
    name: "help",
    usage: [":help", ":help <topic or clause>"],
    summary: "What the console can do, and what each clause is for.",
    run: (_application, topic) => ({ kind: "help", topic: topic.toLowerCase() }),
  },
  {
    name: "play",
    usage: [":play", ":play movies", ":play <guide>"],
    summary: "Opens a guide with statements to try.",
    run: (_application, name) => {
      const guide = findGuide(name === "" ? "start" : name);
      return guide === undefined
        ? notice(
            `There is no guide “${name}”`,
            "`:play start` lists those there are. Guides of other servers are not fetched.",
          )
        : { kind: "guide", guide };
    },
  },
  {
    name: "schema",
    usage: [":schema"],
    summary: "Indexes and constraints.",
    run: async ({ server }) => ({ kind: "schema", tables: await readSchemaTables(server) }),
  },
  {
    name: "sysinfo",
    usage: [":sysinfo"],
    summary: "The server: version, sizes, open transactions.",
    run: async ({ server }) => ({ kind: "system", tables: await readSystemTables(server) }),
  },
  {
    name: "queries",
    usage: [":queries"],
    summary: "Open transactions and what they are doing, each of which can be ended.",
    run: () => ({ kind: "queries" }),
  },
  {
    name: "history",
    usage: [":history", ":history clear"],
    summary: "What was run before; a click brings it back.",
    run: ({ history }, argument) => {
      if (argument === "clear") {
        history.clear();
      }
      return { kind: "history" };
    },
  },
];
