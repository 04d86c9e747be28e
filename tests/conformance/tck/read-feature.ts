/** One step of a scenario: its sentence, and the text or table below it. */
export interface Step {
  readonly sentence: string;
  readonly text: string | undefined;
  readonly table: readonly (readonly string[])[];
}

/** A scenario as it runs: outlines are expanded, the background's steps come first. */
export interface Scenario {
  /** File below `features/` without its ending, such as `clauses/match/Match1`. */
  readonly file: string;
  /** With the number of the example for outlines: `[3] Fail … #2`. */
  readonly name: string;
  readonly steps: readonly Step[];
}

interface Block {
  kind: "background" | "scenario" | "outline";
  name: string;
  steps: MutableStep[];
  examples: string[][][];
}

interface MutableStep {
  sentence: string;
  text: string | undefined;
  table: string[][];
}

/**
 * Reads a Gherkin file of the TCK's subset: Background, Scenario, Scenario Outline with Examples, doc strings and
 * tables. Cells are unescaped (`\|`, `\n`, `\\`).
 *
 * @throws Error  naming file and line, for anything else
 */
export function readFeature(file: string, source: string): Scenario[] {
  const blocks = readBlocks(file, source.split(/\r?\n/));
  const background = blocks.filter((block) => block.kind === "background").flatMap((block) => block.steps);
  return blocks
    .filter((block) => block.kind !== "background")
    .flatMap((block) => expand(file, { ...block, steps: [...background, ...block.steps] }));
}

function readBlocks(file: string, lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let table: string[][] | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!.trim();
    const block = blocks.at(-1);
    if (line === "" || line.startsWith("#") || line.startsWith("@") || line.startsWith("Feature:")) {
      continue;
    }
    const heading = /^(Background|Scenario Outline|Scenario):\s*(.*)$/.exec(line);
    if (heading !== null) {
      blocks.push({ kind: BLOCK_KINDS[heading[1]!]!, name: heading[2]!, steps: [], examples: [] });
    } else if (block === undefined) {
      throw new Error(`${file}:${at + 1}: "${line}" stands outside a scenario`);
    } else if (line.startsWith("Examples:")) {
      table = [];
      block.examples.push(table);
    } else if (line.startsWith("|")) {
      (table ?? block.steps.at(-1)!.table).push(readCells(line));
    } else if (line.startsWith('"""')) {
      at = readDocString(lines, at, block.steps.at(-1)!);
    } else {
      const step = /^(?:Given|When|Then|And|But)\s+(.*)$/.exec(line);
      if (step === null) {
        throw new Error(`${file}:${at + 1}: cannot read "${line}"`);
      }
      table = undefined;
      block.steps.push({ sentence: step[1]!, text: undefined, table: [] });
    }
  }
  return blocks;
}

const BLOCK_KINDS: Readonly<Record<string, Block["kind"]>> = {
  Background: "background",
  Scenario: "scenario",
  "Scenario Outline": "outline",
};

/** Takes lines up to the closing quotes, without the opening quotes' indentation; returns where they stand. */
function readDocString(lines: readonly string[], opening: number, step: MutableStep): number {
  const indentation = lines[opening]!.indexOf('"""');
  const closing = lines.findIndex((line, index) => index > opening && line.trim() === '"""');
  step.text = lines
    .slice(opening + 1, closing)
    .map((line) => (line.slice(0, indentation).trim() === "" ? line.slice(indentation) : line.trimStart()))
    .join("\n");
  return closing;
}

function readCells(line: string): string[] {
  const cells: string[] = [];
  let cell = "";
  for (let at = 1; at < line.length; at += 1) {
    const character = line[at]!;
    if (character === "\\" && at + 1 < line.length && "|n\\".includes(line[at + 1]!)) {
      at += 1;
      cell += line[at] === "n" ? "\n" : line[at]!;
    } else if (character === "|") {
      cells.push(cell.trim());
      cell = "";
    } else {
      cell += character;
    }
  }
  return cells;
}

function expand(file: string, block: Block): Scenario[] {
  if (block.kind === "scenario") {
    return [{ file, name: block.name, steps: block.steps }];
  }
  let number = 0;
  return block.examples.flatMap(([names, ...rows]) =>
    rows.map((row) => {
      number += 1;
      const substitute = (text: string): string =>
        names!.reduce((result, name, index) => result.replaceAll(`<${name}>`, () => row[index]!), text);
      return {
        file,
        name: `${substitute(block.name)} #${number}`,
        steps: block.steps.map((step) => ({
          sentence: substitute(step.sentence),
          text: step.text === undefined ? undefined : substitute(step.text),
          table: step.table.map((cells) => cells.map(substitute)),
        })),
      };
    }),
  );
}
