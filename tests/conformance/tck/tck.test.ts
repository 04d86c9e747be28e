import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findTck, HOW_TO_GET_IT, loadCases, loadGraphs } from "./find-tck.ts";
import { InProcessTarget } from "./in-process-target.ts";
import { idOf } from "./report.ts";
import { runCase } from "./run-case.ts";

const folder = findTck();
const baseline = new URL("passing.txt", import.meta.url);

describe.skipIf(folder === undefined)(`openCypher TCK${folder === undefined ? ` (${HOW_TO_GET_IT})` : ""}`, () => {
  const cases = folder === undefined ? [] : loadCases(folder);

  it("has all its expanded scenarios read", () => {
    expect(cases.length).toBe(3897);
  });

  it("still passes every scenario it passed before", { timeout: 600_000 }, async () => {
    const passing = new Set(existsSync(baseline) ? readFileSync(baseline, "utf8").split("\n") : []);
    const graphs = loadGraphs(folder ?? "");
    const target = new InProcessTarget();
    const regressions: string[] = [];
    for (const tckCase of cases.filter((one) => passing.has(idOf(one)))) {
      const wrong = await runCase(target, tckCase, graphs);
      if (wrong !== undefined) {
        regressions.push(`${idOf(tckCase)}: ${wrong}`);
      }
    }
    await target.close();
    expect(regressions).toEqual([]);
  });
});
