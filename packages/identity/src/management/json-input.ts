import { ManagementError } from "../protocol/management-error.ts";

/** A JSON object from a request, read member by member; a member of the wrong kind is named in the refusal. */
export class JsonInput {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: unknown, path = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new ManagementError("Request_BadRequest", `${path === "" ? "The body" : path} must be a JSON object`);
    }
    this.#members = value as Readonly<Record<string, unknown>>;
    this.#path = path;
  }

  /** @throws ManagementError for a member that isn't among the known ones; annotations of those, and of the whole, are */
  refuseOthers(known: ReadonlySet<string>): void {
    const other = Object.keys(this.#members).find(
      (name) => !name.startsWith("@") && !known.has(name.replace(/@.*/s, "")),
    );
    if (other !== undefined) {
      throw new ManagementError("Request_BadRequest", `Invalid property '${this.#path}${other.slice(0, 100)}'`);
    }
  }

  /** A name that may be left out, but neither emptied nor taken away. */
  findName(name: string): string | undefined {
    return this.has(name) ? this.getText(name) : undefined;
  }

  /** A string that null, or an empty one, takes away. */
  findClearableText(name: string): string | null | undefined {
    const text = this.findText(name);
    return this.has(name) ? text || null : undefined;
  }

  /** A string, trimmed of nothing; null counts as absent. */
  findText(name: string): string | undefined {
    return this.#find(name, "a string", (value) =>
      typeof value === "string" && !value.includes("\0") ? value : undefined,
    );
  }

  getText(name: string): string {
    const text = this.findText(name);
    if (text === undefined || text === "") {
      throw new ManagementError("Request_BadRequest", `'${this.#path}${name}' is missing`);
    }
    return text;
  }

  findFlag(name: string): boolean | undefined {
    return this.#find(name, "true or false", (value) => (typeof value === "boolean" ? value : undefined));
  }

  findObject(name: string): JsonInput | undefined {
    const value = this.#members[name];
    return value === undefined || value === null ? undefined : new JsonInput(value, `${this.#path}${name}.`);
  }

  findObjects(name: string): readonly JsonInput[] | undefined {
    return this.#list(name)?.map((value, index) => new JsonInput(value, `${this.#path}${name}[${index}].`));
  }

  findTexts(name: string): readonly string[] | undefined {
    return this.#list(name)?.map((value) => {
      if (typeof value !== "string" || value.includes("\0")) {
        throw new ManagementError("Request_BadRequest", `'${this.#path}${name}' must be a list of strings`);
      }
      return value;
    });
  }

  findTimeMs(name: string): number | undefined {
    return this.#find(name, "a date and time like 2030-01-31T00:00:00Z", (value) => {
      const ms = typeof value === "string" ? Date.parse(value) : NaN;
      return Number.isNaN(ms) ? undefined : ms;
    });
  }

  /** The value as it is, of any kind. */
  find(name: string): unknown {
    return this.#members[name];
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
  }

  findOneOf<Value extends string | number>(name: string, values: readonly Value[]): Value | undefined {
    return this.#find(name, `one of ${values.join(", ")}`, (value) => values.find((each) => each === value));
  }

  #list(name: string): readonly unknown[] | undefined {
    return this.#find(name, "a list", (value) => (Array.isArray(value) ? (value as readonly unknown[]) : undefined));
  }

  #find<Value>(name: string, wanted: string, read: (value: unknown) => Value | undefined): Value | undefined {
    const value = this.#members[name];
    if (value === undefined || value === null) {
      return undefined;
    }
    const result = read(value);
    if (result === undefined) {
      throw new ManagementError("Request_BadRequest", `'${this.#path}${name}' must be ${wanted}`);
    }
    return result;
  }
}
