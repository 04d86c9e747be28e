import { readValue } from "./read-value.ts";
import { type Scenario, type Step } from "./read-feature.ts";
import { type TckValue } from "./tck-value.ts";

/** What a scenario asks for, with its sentences understood. */
export interface TckCase {
  readonly file: string;
  readonly name: string;
  readonly graph: string;
  /** Queries and procedures that come before the first question, in order. */
  readonly setup: readonly Setup[];
  readonly parameters: ReadonlyMap<string, TckValue>;
  readonly questions: readonly Question[];
}

export type Setup =
  | { readonly kind: "query"; readonly text: string }
  | { readonly kind: "procedure"; readonly procedure: TckProcedure };

/** A procedure that looks its rows up in a table: inputs first, then outputs. */
export interface TckProcedure {
  readonly name: string;
  readonly inputs: readonly TckField[];
  readonly outputs: readonly TckField[];
  readonly rows: readonly (readonly TckValue[])[];
}

export interface TckField {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

export interface Question {
  readonly query: string;
  readonly answer: Answer | undefined;
  /** Signed sizes by name (`+nodes`), empty for "no side effects"; `undefined` when nothing is said. */
  readonly sideEffects: ReadonlyMap<string, number> | undefined;
}

export type Answer =
  | { readonly kind: "empty" }
  | {
      readonly kind: "rows";
      readonly columns: readonly string[];
      readonly rows: readonly (readonly TckValue[])[];
      readonly ordered: boolean;
      readonly ignoreListOrder: boolean;
    }
  | { readonly kind: "error"; readonly type: string; readonly phase: string; readonly detail: string };

interface MutableQuestion {
  query: string;
  answer: Answer | undefined;
  sideEffects: ReadonlyMap<string, number> | undefined;
}

/** Understands a scenario's sentences. @throws Error  for one that is unknown */
export function readCase(scenario: Scenario): TckCase {
  const setup: Setup[] = [];
  const parameters = new Map<string, TckValue>();
  const questions: MutableQuestion[] = [];
  let graph = "any graph";
  for (const step of scenario.steps) {
    const { sentence } = step;
    if (/^(?:any graph|an empty graph|the [\w-]+ graph)$/.test(sentence)) {
      graph = sentence.replace(/^(?:an|the) /, "");
    } else if (/^having executed:?$/.test(sentence)) {
      setup.push({ kind: "query", text: step.text! });
    } else if (sentence.startsWith("there exists a procedure")) {
      setup.push({ kind: "procedure", procedure: readProcedure(step) });
    } else if (/^parameters are:?$/.test(sentence)) {
      step.table.forEach(([name, value]) => parameters.set(name!, readValue(value!)));
    } else if (/^executing (?:control )?query:?$/.test(sentence)) {
      questions.push({ query: step.text!, answer: undefined, sideEffects: undefined });
    } else {
      readJudgement(step, questions.at(-1)!);
    }
  }
  return { file: scenario.file, name: scenario.name, graph, setup, parameters, questions };
}

function readJudgement(step: Step, question: MutableQuestion): void {
  const { sentence, table } = step;
  const rows = /^the result should be(, in any order|, in order)?( \(ignoring element order for lists\))?:?$/.exec(
    sentence,
  );
  const error = /^an? (\w+) should be raised at (compile time|runtime|any time): (\S+)$/.exec(sentence);
  if (sentence === "the result should be empty") {
    question.answer = { kind: "empty" };
  } else if (rows !== null) {
    const [columns, ...body] = table;
    question.answer = {
      kind: "rows",
      columns: columns!,
      rows: body.map((cells) => cells.map(readValue)),
      ordered: rows[1] === ", in order",
      ignoreListOrder: rows[2] !== undefined,
    };
  } else if (error !== null) {
    question.answer = { kind: "error", type: error[1]!, phase: error[2]!, detail: error[3]! };
  } else if (sentence === "no side effects") {
    question.sideEffects = new Map();
  } else if (/^the side effects should be:?$/.test(sentence)) {
    question.sideEffects = new Map(table.map(([name, count]) => [name!, Number(count)]));
  } else {
    throw new Error(`unknown sentence: ${sentence}`);
  }
}

function readProcedure(step: Step): TckProcedure {
  const header = /^there exists a procedure ([\w.]+)\((.*?)\) :: \((.*)\)\s*:?$/.exec(step.sentence);
  if (header === null) {
    throw new Error(`unknown procedure: ${step.sentence}`);
  }
  const inputs = readFields(header[2]!);
  const outputs = readFields(header[3]!);
  const rows = inputs.length + outputs.length === 0 ? [] : step.table.slice(1).map((cells) => cells.map(readValue));
  return { name: header[1]!, inputs, outputs, rows };
}

function readFields(text: string): TckField[] {
  return text.trim() === ""
    ? []
    : text.split(",").map((field) => {
        const [name, type] = field.split("::").map((part) => part.trim());
        return { name: name!, type: type!.replace(/\?$/, ""), nullable: type!.endsWith("?") };
      });
}
