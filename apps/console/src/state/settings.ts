/** What a user may set with `:config`, and in the drawer of settings. */
export interface Settings {
  readonly theme: "system" | "light" | "dark";
  /** Older frames go when there are more, pinned ones excepted. */
  readonly maxFrames: number;
  readonly rowsPerPage: number;
  /** How many nodes of a result are drawn at first. */
  readonly maxNodes: number;
  /** How many neighbours one double click brings. */
  readonly maxNeighbours: number;
  /** Draw relationships between the nodes of a result that the statement did not return. */
  readonly connectNodes: boolean;
  /** Ask the server (by `EXPLAIN`) what is wrong with a statement while it is written. */
  readonly checkWhileTyping: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  theme: "system",
  maxFrames: 30,
  rowsPerPage: 100,
  maxNodes: 5000,
  maxNeighbours: 100,
  connectNodes: true,
  checkWhileTyping: true,
};

export interface SettingDescription {
  readonly name: keyof Settings;
  readonly label: string;
  readonly about: string;
  /** A number's bounds, a list of words, or nothing for a switch. */
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export const SETTINGS: readonly SettingDescription[] = [
  {
    name: "theme",
    label: "Theme",
    about: "Colours of the console; “system” follows the browser.",
    choices: ["system", "light", "dark"],
  },
  { name: "maxFrames", label: "Frames", about: "How many are kept; pinned ones stay.", minimum: 1, maximum: 500 },
  { name: "rowsPerPage", label: "Rows per page", about: "In tables and text.", minimum: 10, maximum: 1000 },
  { name: "maxNodes", label: "Nodes drawn", about: "Of one result, at first.", minimum: 10, maximum: 20_000 },
  {
    name: "maxNeighbours",
    label: "Neighbours",
    about: "How many one expansion brings.",
    minimum: 1,
    maximum: 5000,
  },
  {
    name: "connectNodes",
    label: "Connect result nodes",
    about: "Draw relationships between the nodes of a result even if they were not returned.",
  },
  {
    name: "checkWhileTyping",
    label: "Check while typing",
    about: "Let the server look at a statement (EXPLAIN, nothing runs) while it is written.",
  },
];

/** Settings with one changed; `undefined` when there is no such setting or the value does not fit. */
export function changeSetting(settings: Settings, name: string, value: unknown): Settings | undefined {
  const description = SETTINGS.find((each) => each.name === name);
  if (description === undefined || !fits(description, value)) {
    return undefined;
  }
  return { ...settings, [name]: value };
}

export function readSettings(value: unknown): Settings | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  return Object.entries(value).reduce<Settings>(
    (settings, [name, each]) => changeSetting(settings, name, each) ?? settings,
    DEFAULT_SETTINGS,
  );
}

function fits({ choices, minimum, maximum }: SettingDescription, value: unknown): boolean {
  if (choices !== undefined) {
    return typeof value === "string" && choices.includes(value);
  }
  if (minimum !== undefined && maximum !== undefined) {
    return typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum;
  }
  return typeof value === "boolean";
}
