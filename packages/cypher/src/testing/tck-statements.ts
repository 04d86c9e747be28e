import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findSharedFolder } from "./shared-folder.ts";

export interface TckStatement {
  readonly place: string;
  readonly text: string;
  /** The word behind the error the scenario asks for, if this is the statement that should fail. */
  readonly errorDetail: string | undefined;
}

/** How to get the suite, said by tests that are skipped without it. */
export const TCK_HINT = "the openCypher TCK is missing: unpack it and name its folder in TREFOIL_TCK";

/** Every statement of the openCypher TCK, outlines expanded; empty where the suite is missing. */
export function readTckStatements(): readonly TckStatement[] {
  const folder = findSharedFolder("TREFOIL_TCK", "tck");
  if (folder === undefined) {
    return [];
  }
  const features = join(folder, "features");
  return readdirSync(features, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".feature"))
    .sort()
    .flatMap((file) => readFeature(file, readFileSync(join(features, file), "utf8")));
}

interface Scenario {
  name: string;
  statements: string[];
  errorDetail: string | undefined;
  examples: string[][];
}

function readFeature(file: string, text: string): readonly TckStatement[] {
  const scenarios: Scenario[] = [];
  const lines = text.split("\n");
  let isInExamples = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const trimmed = line.trim();
    const scenario = scenarios.at(-1);
    if (/^(Scenario|Background)/.test(trimmed)) {
      scenarios.push({ name: trimmed, statements: [], errorDetail: undefined, examples: [] });
      isInExamples = false;
    } else if (trimmed === '"""') {
      const end = lines.findIndex((other, index) => index > at && other.trim() === '"""');
      const indent = line.indexOf('"');
      scenario?.statements.push(
        lines
          .slice(at + 1, end)
          .map((inner) => inner.slice(indent))
          .join("\n"),
      );
      at = end;
    } else if (trimmed.startsWith("Examples:")) {
      isInExamples = true;
    } else if (isInExamples && trimmed.startsWith("|")) {
      scenario?.examples.push(tableRow(trimmed));
    }
    const error = /should be raised at .*: (\S+)/.exec(trimmed);
    if (error !== null && scenario !== undefined) {
      scenario.errorDetail = error[1];
    }
  }
  return scenarios.flatMap((scenario) => expand(file, scenario));
}

function tableRow(line: string): string[] {
  return line
    .replaceAll("\\|", "\u0000")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\u0000", "|").replaceAll("\\\\", "\\"));
}

function expand(file: string, { name, statements, errorDetail, examples }: Scenario): readonly TckStatement[] {
  const [header = [], ...rows] = examples;
  const last = statements.length - 1;
  return (examples.length === 0 ? [[]] : rows).flatMap((row) =>
    statements.map((text, index) => ({
      place: `${file} ${name}`,
      text: header.reduce((filled, key, column) => filled.replaceAll(`<${key}>`, row[column] ?? ""), text),
      errorDetail: index === last ? errorDetail : undefined,
    })),
  );
}
