import { compileFunction } from "node:vm";
import { type Gather, type Operator } from "../logical-plan/operator.ts";
import { type CompiledRun } from "../runtime/compiled-run.ts";
import * as library from "../runtime/library.ts";
import { PAUSE, TICK, TURNS_PER_TICK, WAIT_FOR_LOCK } from "../runtime/signals.ts";
import { maximumBatchRows } from "../runtime/statement-result.ts";
import { compileExpression } from "./compile-expression.ts";
import { compilePredicate } from "./compile-predicate.ts";
import { type CompileOptions, Generator } from "./generator.ts";
import { produce } from "./produce.ts";
import { producePart } from "./produce-gather.ts";

export interface CompiledPlan {
  readonly run: CompiledRun;
  /** The generated JavaScript, for reading. */
  readonly source: string;
  /** Whether something may fail before 2.3 gives out the columns; the run says when it is past that (`hasBegun`). */
  readonly beginsLate: boolean;
}

export interface CompiledPart extends CompiledPlan {
  /** How many arrays of a number per node the parts share. */
  readonly sharedCounts: number;
}

/** Turns a plan into one generator function. */
export function compilePlan(plan: Operator, options: CompileOptions): CompiledPlan {
  return compile(options, (generator) => generator.produce(plan, () => {}));
}

/** Turns what is below a Gather into the function that each of its parts runs. */
export function compilePart(gather: Gather, options: CompileOptions): CompiledPart {
  let sharedCounts = 0;
  const compiled = compile(options, (generator) => {
    producePart(gather, generator);
    sharedCounts = generator.keptCounts;
  });
  return { ...compiled, sharedCounts };
}

function compile(options: CompileOptions, write: (generator: Generator) => void): CompiledPlan {
  const generator = new Generator(options, {
    produce,
    expression: compileExpression,
    predicate: compilePredicate,
    libraryNames: Object.keys(library),
  });
  const body = generator.out;
  write(generator);
  const source = assemble(generator, body.toString());
  // Made from a bound plan alone; user text is in it as encoded literals only (generator.ts).
  const create = compileFunction(source, ["library", "constants"], { filename: "statement.js" }) as (
    functions: object,
    constants: readonly unknown[],
  ) => CompiledRun;
  return { run: create(runtime, generator.constants), source, beginsLate: generator.beginsWith !== undefined };
}

const runtime = { ...library, PAUSE, TICK, WAIT_FOR_LOCK, TURNS_PER_TICK, MAXIMUM_BATCH_ROWS: maximumBatchRows };

/** What every statement may need around its loops; only what is mentioned is written. */
const SIGNALS = ["MAXIMUM_BATCH_ROWS", "PAUSE", "TICK", "TURNS_PER_TICK", "WAIT_FOR_LOCK"];
const FROM_STATEMENT = ["view", "context", "transaction", "tokens", "mode", "parameters"];

function assemble(generator: Generator, body: string): string {
  const prologue = generator.prologue.toString();
  const mentioned = (names: readonly string[]): readonly string[] =>
    names.filter((name) => new RegExp(`\\b${name}\\b`, "u").test(prologue + body));
  const hasTurns = mentioned(["turns"]).length > 0;
  const hasRows = /\brows\.push\(/u.test(body);
  const used = [
    ...generator.usedFunctions,
    ...SIGNALS.filter((name) => (name === "TURNS_PER_TICK" ? hasTurns : mentioned([name]).length > 0)),
  ];
  const fromStatement = mentioned(FROM_STATEMENT);
  const constants =
    generator.constantNames.length === 0 ? "" : `const [${generator.constantNames.join(", ")}] = constants;\n`;
  return (
    '"use strict";\n' +
    (used.length === 0 ? "" : `const { ${used.join(", ")} } = library;\n`) +
    constants +
    "return function* run(statement) {\n" +
    (fromStatement.length === 0
      ? ""
      : `  ${generator.renewsView ? "let" : "const"} { ${fromStatement.join(", ")} } = statement;\n`) +
    (hasTurns ? "  let turns = TURNS_PER_TICK;\n" : "") +
    (hasRows ? "  let rows = [];\n" : "") +
    indented(prologue) +
    (hasRows ? guardingRows(body, generator.projectedFrom.size > 0) : indented(body)) +
    "};\n"
  );
}

/** @param looksAhead  whether the next row is looked for before one is given out */
function guardingRows(body: string, looksAhead: boolean): string {
  return (
    (looksAhead ? "  let isProjecting = false;\n" : "") +
    "  try {\n" +
    indented(indented(body).replace(/\n$/u, "")) +
    "  } catch (error) {\n" +
    "    // Rows that were made before the failure belong to the answer.\n" +
    (looksAhead
      ? "    if (!isProjecting) { rows.pop(); } // 2.3 was looking for the next one before it gave out this\n"
      : "") +
    "    if (rows.length > 0) { yield rows; }\n" +
    "    throw error;\n" +
    "  }\n" +
    "  if (rows.length > 0) { yield rows; }\n"
  );
}

function indented(text: string): string {
  return text === ""
    ? ""
    : text
        .split("\n")
        .map((line) => `  ${line}\n`)
        .join("");
}
