import { changeSetting, DEFAULT_SETTINGS, SETTINGS } from "../state/settings.ts";
import { type Command, notice } from "./command.ts";

/** Commands about the console itself. */
export const CONSOLE_COMMANDS: readonly Command[] = [
  {
    name: "clear",
    usage: [":clear"],
    summary: "Removes all frames.",
    run: ({ frames }) => {
      frames.clear();
      return undefined;
    },
  },
  {
    name: "favourite",
    aliases: ["favorite"],
    usage: [":favourite <statement>"],
    summary: "Keeps a statement among the favourites.",
    run: ({ favourites, drawer }, argument) => {
      favourites.add(argument);
      drawer.value = "favourites";
      return undefined;
    },
  },
  {
    name: "import",
    usage: [":import"],
    summary: "Opens the import of CSV files; a file dropped anywhere does the same.",
    run: ({ drawer }) => {
      drawer.value = "import";
      return undefined;
    },
  },
  {
    name: "config",
    usage: [":config", ":config <name>: <value>", ":config reset"],
    summary: "Shows or changes the console's settings.",
    run: ({ settings }, argument) => {
      if (argument === "reset") {
        settings.value = DEFAULT_SETTINGS;
      } else if (argument !== "") {
        const [, name = "", text = ""] = /^(\w+)\s*:?\s*([\s\S]+)$/.exec(argument) ?? [];
        const changed = changeSetting(settings.value, name, readSetting(text));
        if (changed === undefined) {
          const names = SETTINGS.map((each) => each.name).join(", ");
          return notice("That is no setting, or no value of it", `Settings are ${names}.`);
        }
        settings.value = changed;
      }
      return { kind: "settings" };
    },
  },
  {
    name: "style",
    usage: [":style", ":style reset"],
    summary: "Colours, sizes and captions of labels and types.",
    run: ({ styles }, argument) => {
      if (argument === "reset") {
        styles.reset();
      }
      return { kind: "styles" };
    },
  },
];

function readSetting(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
