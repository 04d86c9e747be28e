import { type Expression, type MapLiteral, type Parameter } from "../ast/expressions.ts";
import { type Mode } from "../ast/node.ts";
import { type PathPattern } from "../ast/patterns.ts";
import { type Query } from "../ast/statement.ts";
import { isWordPart, isWordStart } from "../characters.ts";

/** What the parts of the printer need of each other; they refer to one another in circles, as the grammar does. */
export interface Printing {
  readonly mode: Mode;
  /** In parentheses where it binds less tightly than `level`. */
  readonly expression: (expression: Expression, level?: number) => string;
  readonly path: (path: PathPattern) => string;
  /** A subquery's inside, on one line. */
  readonly query: (query: Query) => string;
}

/** Words that mean something where a variable could stand: as names they are quoted. */
const KEYWORDS = new Set(
  (
    "ALL AND ANY AS ASC ASCENDING ASSERT BY CALL CASE CONSTRAINT CONTAINS CREATE CSV CYPHER DELETE DESC DESCENDING " +
    "DETACH DIFFERENT DISTINCT DROP ELSE END ENDS EXISTS EXPLAIN FALSE FIELDTERMINATOR FINISH FOR FOREACH FROM IF IN " +
    "INDEX INSERT IS JOIN LIMIT LOAD MATCH MERGE NODETACH NOT NULL OF OFFSET ON OPTIONAL OPTIONS OR ORDER PLANNER " +
    "PROFILE REMOVE REPEATABLE REPORT REQUIRE RETURN SCAN SEEK SET SHORTEST SHOW SKIP START STARTS TERMINATE THEN " +
    "TRUE UNION UNIQUE UNWIND USE USING WHEN WHERE WITH XOR YIELD"
  ).split(" "),
);

/** A variable, a schema name: quoted where it would be read as something else. */
export function printName(name: string): string {
  return KEYWORDS.has(name.toUpperCase()) ? quoted(name) : printKey(name);
}

/** A name in a place where only a name can be: property keys, labels, types. */
export function printKey(name: string): string {
  return isPlainWord(name) ? name : quoted(name);
}

function quoted(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

function isPlainWord(name: string): boolean {
  let isFirst = true;
  for (const character of name) {
    const point = character.codePointAt(0) ?? 0;
    if (!(isFirst ? isWordStart(point) : isWordPart(point))) {
      return false;
    }
    isFirst = false;
  }
  return !isFirst;
}

export function printParameter(parameter: Parameter): string {
  const name = /^\d+$/.test(parameter.name) ? parameter.name : printKey(parameter.name);
  return parameter.style === "dollar" ? `$${name}` : `{${name}}`;
}

export function printMap(printing: Printing, map: MapLiteral | Parameter): string {
  if (map.kind === "Parameter") {
    return printParameter(map);
  }
  const entries = map.entries.map(({ key, value }) => `${printKey(key)}: ${printing.expression(value)}`);
  return `{${entries.join(", ")}}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\b": "\\b",
  "\n": "\\n",
  "\r": "\\r",
  "\f": "\\f",
  "'": "\\'",
  "\\": "\\\\",
};

export function printString(value: string): string {
  return `'${value.replace(/[\t\b\n\r\f'\\]/g, (character) => ESCAPES[character] ?? character)}'`;
}

/** Blank-separated, leaving out what is not there. */
export function words(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== "").join(" ");
}
