import { describe, expect, it } from "vitest";
import { findTck, HOW_TO_GET_IT, loadCases, loadGraphs } from "./find-tck.ts";
import { HttpTarget } from "./http-target.ts";
import { InProcessTarget } from "./in-process-target.ts";
import { renderFailures, type Verdict } from "./report.ts";
import { runCase } from "./run-case.ts";
import { type TckTarget } from "./target.ts";

const folder = findTck();

describe.skipIf(folder === undefined)(`openCypher TCK${folder === undefined ? ` (${HOW_TO_GET_IT})` : ""}`, () => {
  const cases = folder === undefined ? [] : loadCases(folder);

  it("has all its expanded scenarios read", () => {
    expect(cases.length).toBe(3897);
  });

  it.each([
    ["in process", (): Promise<TckTarget> => Promise.resolve(new InProcessTarget())],
    ["over HTTP", (): Promise<TckTarget> => HttpTarget.start()],
  ])("passes whole %s: there is no list of exceptions", { timeout: 300_000 }, async (_where, start) => {
    const graphs = loadGraphs(folder ?? "");
    const target = await start();
    const verdicts: Verdict[] = [];
    for (const tckCase of cases) {
      verdicts.push({ file: tckCase.file, name: tckCase.name, wrong: await runCase(target, tckCase, graphs) });
    }
    await target.close();
    expect(renderFailures(verdicts)).toBe("");
  });
});
