import { expect, test } from "vitest";
import { type Finding, runRange } from "./run-range.ts";

/** A taste of `npm run fuzz`, from another number each day. */
test(
  "random and mutated statements end with rows or an error that says what was wrong",
  { timeout: 120_000 },
  async () => {
    const findings: Finding[] = [];
    const from = Math.floor(Date.now() / 86_400_000) * 100_000;
    await runRange(
      from,
      3_000,
      () => undefined,
      (finding) => findings.push(finding),
    );
    expect(findings).toEqual([]);
  },
);
