import { type PropertyScalar, type PropertyValue } from "../values/property-value.ts";
import { floatOf, integerOf } from "../values/whole-float.ts";
import { ImportError } from "./import-error.ts";

/** What a column of an import file is. Id spaces keep equal ids of different kinds apart: `:ID(Person)`. */
export type ColumnRole =
  | { readonly kind: "id" | "start" | "end"; readonly space: string; readonly name: string }
  | { readonly kind: "label" | "type" | "ignore" }
  | {
      readonly kind: "property";
      readonly name: string;
      readonly read: ValueReader;
      /** Every INTEGER written the usual way is one to `read` as well. */
      readonly takesIntegers: boolean;
      /** `read` gives the text as it is. */
      readonly isText: boolean;
    };

/** The first row of a file. */
export interface HeaderRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/** `undefined` for text that is no such value. */
export type ValueReader = (text: string) => PropertyValue | undefined;

const SCALARS: Readonly<Record<string, (text: string) => PropertyScalar | undefined>> = {
  string: (text) => text,
  char: (text) => (text.length === 1 ? text : undefined),
  boolean: (text) => BOOLEANS.get(text.toLowerCase()),
  byte: integerBetween(-(2n ** 7n), 2n ** 7n - 1n),
  short: integerBetween(-(2n ** 15n), 2n ** 15n - 1n),
  int: integerBetween(-(2n ** 63n), 2n ** 63n - 1n),
  integer: integerBetween(-(2n ** 63n), 2n ** 63n - 1n),
  long: integerBetween(-(2n ** 63n), 2n ** 63n - 1n),
  float: readFloat,
  double: readFloat,
};
/** The types that take every number of fifteen digits. */
const WIDE_INTEGERS: ReadonlySet<string> = new Set(["int", "integer", "long"]);
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
const INTEGER = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
/** Whole numbers as we would write them: "007" is a text. */
const PLAIN_INTEGER = /^(0|-?[1-9]\d{0,18})$/;
const PLAIN_FLOAT = /^-?(0|[1-9]\d*)\.\d+$/;
const TYPED = /^(?<name>.*):(?<type>\w+)(\((?<space>[^)]*)\))?(?<list>\[\])?$/s;
const LIST_DELIMITER = ";";

/** Names by which a header without types says what a column is. */
const PLAIN_NAMES: Readonly<Record<"nodes" | "relationships", Readonly<Record<string, ColumnRole["kind"]>>>> = {
  nodes: { id: "id", label: "label", labels: "label" },
  relationships: {
    start: "start",
    from: "start",
    source: "start",
    end: "end",
    to: "end",
    target: "end",
    type: "type",
  },
};

/**
 * Reads the first line of a file: `name:type` per column with the types of the 2.x import tools (`ID`, `LABEL`,
 * `START_ID`, `END_ID`, `TYPE`, `IGNORE`, `int`, `string[]`, …; no type: a text), or, where no column has a type, plain
 * names whose values are taken for what they look like.
 *
 * @throws ImportError  for an unknown type, two columns of one property, or when a column that has to be there is not
 */
export function readHeader(row: HeaderRow, file: string, of: "nodes" | "relationships"): readonly ColumnRole[] {
  const isTyped = row.fields.some((field) => TYPED.test(field));
  const roles = row.fields.map((field, index) => (isTyped ? typedRole(row, file, field, index) : plainRole(field, of)));
  const missing = MUST_HAVE[of].find((kind) => roles.filter((role) => role.kind === kind).length !== 1);
  if (missing !== undefined) {
    throw new ImportError(
      { file, line: row.line, column: 1, value: row.fields.join(",") },
      `The header needs exactly one column for the ${missing} of ${of} (such as '${EXAMPLES[missing]}').`,
    );
  }
  checkProperties(row, file, roles);
  return roles;
}

/** What a row gives an entity, each name once: a column of ids may be a property as well. */
function checkProperties({ line, fields }: HeaderRow, file: string, roles: readonly ColumnRole[]): void {
  const known = new Set<string>();
  for (const [index, role] of roles.entries()) {
    const name = propertyName(role);
    if (name === undefined) {
      continue;
    }
    if (name === "" || known.has(name)) {
      const problem = name === "" ? "The column has no name." : `There is another column for the property '${name}'.`;
      throw new ImportError({ file, line, column: index + 1, value: fields[index] ?? "" }, problem);
    }
    known.add(name);
  }
}

function propertyName(role: ColumnRole): string | undefined {
  return role.kind === "property" || (role.kind === "id" && role.name !== "") ? role.name : undefined;
}

const MUST_HAVE = { nodes: ["id"], relationships: ["start", "end"] } as const;
const EXAMPLES = { id: ":ID", start: ":START_ID", end: ":END_ID" } as const;

function typedRole(row: HeaderRow, file: string, field: string, index: number): ColumnRole {
  const match = TYPED.exec(field)?.groups;
  if (match === undefined) {
    return { kind: "property", name: field, read: (text) => text, takesIntegers: false, isText: true };
  }
  const name = match["name"] ?? "";
  const space = match["space"] ?? "";
  const type = match["type"] ?? "";
  switch (type.toUpperCase()) {
    case "ID":
      return { kind: "id", space, name };
    case "START_ID":
      return { kind: "start", space, name };
    case "END_ID":
      return { kind: "end", space, name };
    case "LABEL":
      return { kind: "label" };
    case "TYPE":
      return { kind: "type" };
    case "IGNORE":
      return { kind: "ignore" };
    default: {
      const scalar = SCALARS[type.toLowerCase()];
      if (scalar === undefined) {
        throw new ImportError(
          { file, line: row.line, column: index + 1, value: field },
          `There is no column type '${type}'; there are ID, LABEL, START_ID, END_ID, TYPE, IGNORE, ${Object.keys(SCALARS).join(", ")}.`,
        );
      }
      const isList = match["list"] !== undefined;
      return {
        kind: "property",
        name,
        read: isList ? listOf(scalar) : scalar,
        takesIntegers: !isList && WIDE_INTEGERS.has(type.toLowerCase()),
        isText: !isList && type.toLowerCase() === "string",
      };
    }
  }
}

function plainRole(field: string, of: "nodes" | "relationships"): ColumnRole {
  const kind = PLAIN_NAMES[of][field.toLowerCase()] ?? "property";
  switch (kind) {
    case "property":
      return { kind, name: field, read: readPlain, takesIntegers: true, isText: false };
    case "id":
      return { kind, space: "", name: field };
    case "start":
    case "end":
      return { kind, space: "", name: "" };
    case "label":
    case "type":
    case "ignore":
      return { kind };
  }
}

function readPlain(text: string): PropertyValue {
  if (PLAIN_INTEGER.test(text)) {
    return SCALARS["int"]?.(text) ?? text;
  }
  return PLAIN_FLOAT.test(text) ? floatOf(Number(text)) : (BOOLEANS.get(text) ?? text);
}

function integerBetween(least: bigint, most: bigint): (text: string) => PropertyScalar | undefined {
  return (text) => {
    const trimmed = text.trim();
    if (!INTEGER.test(trimmed)) {
      return undefined;
    }
    if (trimmed.length < 16) {
      const small = Number(trimmed) + 0;
      return small >= least && small <= most ? small : undefined;
    }
    const value = BigInt(trimmed.startsWith("+") ? trimmed.slice(1) : trimmed);
    return value >= least && value <= most ? integerOf(value) : undefined;
  };
}

function readFloat(text: string): PropertyScalar | undefined {
  const trimmed = text.trim();
  if (trimmed === "NaN" || /^[+-]?Infinity$/.test(trimmed)) {
    return Number(trimmed);
  }
  return FLOAT.test(trimmed) ? floatOf(Number(trimmed)) : undefined;
}

function listOf(scalar: (text: string) => PropertyScalar | undefined): ValueReader {
  return (text) => {
    const elements = text === "" ? [] : text.split(LIST_DELIMITER).map((element) => scalar(element));
    return elements.some((element) => element === undefined) ? undefined : (elements as PropertyScalar[]);
  };
}
