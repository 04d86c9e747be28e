import { type TckCase } from "./expectation.ts";
import { judgeAnswer, judgeSideEffects, judgeUnchanged } from "./judge.ts";
import { type TckTarget } from "./target.ts";

/** Runs one scenario from an empty graph. Returns what is wrong, in one line; `undefined` when it passes. */
export async function runCase(
  target: TckTarget,
  tckCase: TckCase,
  graphs: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  try {
    await target.reset();
    return (await prepare(target, tckCase, graphs)) ?? (await ask(target, tckCase));
  } catch (error) {
    return `broke down: ${error instanceof Error ? `${error.name}: ${error.message.split("\n")[0]}` : String(error)}`;
  }
}

async function prepare(
  target: TckTarget,
  tckCase: TckCase,
  graphs: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const named = graphs.get(tckCase.graph);
  const queries = named === undefined ? tckCase.setup : [{ kind: "query", text: named } as const, ...tckCase.setup];
  for (const step of queries) {
    if (step.kind === "procedure") {
      await target.defineProcedure(step.procedure);
    } else {
      const outcome = await target.run(step.text, new Map());
      if (outcome.kind === "error") {
        return `set-up failed with ${outcome.code}: ${outcome.message.split("\n")[0]}`;
      }
    }
  }
  return undefined;
}

async function ask(target: TckTarget, { questions, parameters }: TckCase): Promise<string | undefined> {
  for (const { query, answer, sideEffects } of questions) {
    const before = await target.observe();
    const outcome = await target.run(query, parameters);
    const after = await target.observe();
    const wrong =
      (answer === undefined ? undefined : judgeAnswer(answer, outcome)) ??
      (sideEffects === undefined ? undefined : judgeSideEffects(sideEffects, before, after)) ??
      (outcome.kind === "error" ? judgeUnchanged(before, after) : undefined);
    if (wrong !== undefined) {
      return wrong;
    }
  }
  return undefined;
}
