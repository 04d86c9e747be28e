import { type Mode } from "@trefoil/cypher";
import { argumentError } from "../values/query-errors.ts";
import { isList } from "../values/value-kind.ts";
import { type Value } from "../values/value.ts";
import { invalidArgument, numberArgument, positionArgument, stringArgument } from "./arguments.ts";
import { defineFunction, LEGACY, MODERN } from "./define.ts";
import { type FunctionDefinition } from "./function-definition.ts";

/** What 2.3's trim takes for blank: everything up to U+0020, as Java's. */
const LEGACY_BLANKS = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;
const LEGACY_LEADING = /^[ \t\n\u000b\f\r]+/;
const LEGACY_TRAILING = /[ \t\n\u000b\f\r]+$/;

/** A function from one string to another. */
function onString(
  name: string,
  description: string,
  change: (text: string, mode: Mode) => string,
  more: { readonly synonyms?: readonly string[]; readonly modes?: readonly Mode[] } = {},
): FunctionDefinition {
  return defineFunction(`${name}(text: string)`, {
    returns: "string",
    description,
    ...more,
    call: (context, text: Value) => change(stringArgument(text, name, context.mode), context.mode),
  });
}

/** Text functions; positions and lengths count UTF-16 units, as both eras do. */
export const stringFunctions: readonly FunctionDefinition[] = [
  onString("toLower", "in small letters", (text) => text.toLowerCase(), { synonyms: ["lower"] }),
  onString("toUpper", "in capital letters", (text) => text.toUpperCase(), { synonyms: ["upper"] }),
  onString("trim", "without blanks at both ends", (text) => text.replace(LEGACY_BLANKS, ""), { modes: LEGACY }),
  onString("ltrim", "without blanks at the start", (text) => text.replace(LEGACY_LEADING, ""), { modes: LEGACY }),
  onString("rtrim", "without blanks at the end", (text) => text.replace(LEGACY_TRAILING, ""), { modes: LEGACY }),
  trimming("trim", "without blanks, or the given characters, at both ends", true, true, "none"),
  trimming("btrim", "without blanks, or the given characters, at both ends", true, true, "second"),
  trimming("ltrim", "without blanks, or the given characters, at the start", true, false, "second"),
  trimming("rtrim", "without blanks, or the given characters, at the end", false, true, "second"),
  defineFunction("replace(text: string, search: string, replacement: string)", {
    returns: "string",
    modes: LEGACY,
    description: "every occurrence of a text replaced by another",
    takesNull: true,
    call: ({ mode }, ...values: readonly Value[]) => {
      const [text = null, search = null, replacement = null] = legacyTexts(values, "replace", mode);
      return text === null || search === null || replacement === null
        ? null
        : text.replaceAll(search, () => replacement);
    },
  }),
  defineFunction("replace(text: string, search: string, replacement: string)", {
    returns: "string",
    modes: MODERN,
    description: "every occurrence of a text replaced by another",
    call: ({ mode }, text: Value, search: Value, replacement: Value) => {
      const by = stringArgument(replacement, "replace", mode);
      return stringArgument(text, "replace", mode).replaceAll(stringArgument(search, "replace", mode), () => by);
    },
  }),
  defineFunction("substring(text: string, start: integer, length?: integer)", {
    returns: "string",
    description: "the part from a position (from 0), so long or to the end",
    takesNull: true,
    call: ({ mode }, text: Value, start: Value, length?: Value) => substring(text, start, length, mode),
  }),
  defineFunction("left(text: string, length: integer)", {
    returns: "string",
    description: "so many units of the start",
    takesNull: true,
    call: ({ mode }, text: Value, length: Value) => substring(text, 0, length, mode, "left"),
  }),
  defineFunction("right(text: string, length: integer)", {
    returns: "string",
    description: "so many units of the end",
    takesNull: true,
    call: ({ mode }, text: Value, length: Value) => {
      if (text === null || (length === null && mode === "modern")) {
        return null;
      }
      const whole = stringArgument(text, "right", mode);
      return whole.slice(Math.max(0, whole.length - positionArgument(length, "right", mode)));
    },
  }),
  defineFunction("split(text: string, delimiter: string)", {
    returns: { listOf: "string" },
    modes: LEGACY,
    description: "the parts between the delimiters",
    takesNull: true,
    call: ({ mode }, ...values: readonly Value[]) => {
      const [text = null, delimiter = null] = legacyTexts(values, "split", mode);
      return text === null || delimiter === null ? null : split(text, [delimiter]);
    },
  }),
  defineFunction("split(text: string, delimiters: string | list)", {
    returns: { listOf: "string" },
    modes: MODERN,
    description: "the parts between the delimiters",
    call: ({ mode }, text: Value, delimiters: Value) =>
      split(
        stringArgument(text, "split", mode),
        (isList(delimiters) ? delimiters : [delimiters]).map((one) => stringArgument(one, "split", mode)),
      ),
  }),
  onString("reverse", "from the last character to the first", reverseText, { modes: LEGACY }),
  defineFunction("reverse(original: string | list)", {
    returns: { sameAs: 0 },
    modes: MODERN,
    description: "from the last character or element to the first",
    call: (_context, original: Value) => {
      if (isList(original)) {
        return [...original].reverse();
      }
      if (typeof original === "string") {
        return reverseText(original);
      }
      throw invalidArgument("reverse", "a STRING or LIST", original);
    },
  }),
  defineFunction("char_length(text: string)", {
    returns: "integer",
    synonyms: ["character_length"],
    modes: MODERN,
    description: "the number of UTF-16 units",
    call: ({ mode }, text: Value) => stringArgument(text, "char_length", mode).length,
  }),
  defineFunction("normalize(text: string, form?: string)", {
    returns: "string",
    modes: MODERN,
    description: "in Unicode normal form NFC, or the one given",
    call: ({ mode }, text: Value, form?: Value) =>
      stringArgument(text, "normalize", mode).normalize(normalForm(form ?? "NFC", mode)),
  }),
];

function trimming(
  name: string,
  description: string,
  start: boolean,
  end: boolean,
  characters: "none" | "second",
): FunctionDefinition {
  return defineFunction(`${name}(text: string${characters === "second" ? ", characters?: string" : ""})`, {
    returns: "string",
    modes: MODERN,
    description,
    call: ({ mode }, text: Value, trimmed?: Value) => {
      const whole = stringArgument(text, name, mode);
      const isTrimmed = trimmedCharacters(trimmed === undefined ? undefined : stringArgument(trimmed, name, mode));
      const points = Array.from(whole);
      let from = 0;
      let to = points.length;
      while (start && from < to && isTrimmed(points[from] ?? "")) {
        from += 1;
      }
      while (end && to > from && isTrimmed(points[to - 1] ?? "")) {
        to -= 1;
      }
      return points.slice(from, to).join("");
    },
  });
}

/** Unicode white space and the blanks of Java's trim, unless characters are given. */
function trimmedCharacters(given: string | undefined): (point: string) => boolean {
  if (given !== undefined) {
    const set = new Set(given);
    return (point) => set.has(point);
  }
  return (point) => point <= "\u0020" || /^\s$/u.test(point);
}

/** 2.3 looks at all arguments, unless the first is null, before it gives null for one. */
function legacyTexts(values: readonly Value[], name: string, mode: Mode): readonly (string | null)[] {
  return values[0] === null ? [] : values.map((value) => (value === null ? null : stringArgument(value, name, mode)));
}

function substring(
  text: Value,
  start: Value,
  length: Value | undefined,
  mode: Mode,
  name: string = "substring",
): Value {
  if (text === null || (mode === "modern" && (start === null || length === null))) {
    return null;
  }
  const whole = stringArgument(text, name, mode);
  if (mode === "2.3" && length !== undefined) {
    // What both are is looked at before how large they are.
    numberArgument(start, name, mode);
    numberArgument(length, name, mode);
  }
  const from = positionArgument(start, name, mode);
  return length === undefined ? whole.slice(from) : whole.slice(from, from + positionArgument(length, name, mode));
}

/** The parts between any of the delimiters, the longest first; an empty delimiter splits into UTF-16 units. */
function split(text: string, delimiters: readonly string[]): Value {
  if (delimiters.includes("")) {
    return text === "" ? [""] : text.split("");
  }
  const [only] = delimiters;
  if (delimiters.length === 1 && only !== undefined) {
    return text.split(only);
  }
  const longestFirst = [...delimiters].sort((a, b) => b.length - a.length);
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length;) {
    const found = longestFirst.find((delimiter) => text.startsWith(delimiter, at));
    if (found === undefined) {
      at += 1;
    } else {
      parts.push(text.slice(from, at));
      at += found.length;
      from = at;
    }
  }
  return [...parts, text.slice(from)];
}

function reverseText(text: string): string {
  return Array.from(text).reverse().join("");
}

const NORMAL_FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

function normalForm(form: Value, mode: Mode): (typeof NORMAL_FORMS)[number] {
  const name = stringArgument(form, "normalize", mode).toUpperCase();
  const found = NORMAL_FORMS.find((candidate) => candidate === name);
  if (found === undefined) {
    throw argumentError(`Unknown normal form '${name}': expected one of ${NORMAL_FORMS.join(", ")}`);
  }
  return found;
}
