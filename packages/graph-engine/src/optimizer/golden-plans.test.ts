import { systemClock } from "@trefoil/base";
import { openGraphStore } from "@trefoil/graph-store";
import { describe, expect, it } from "vitest";
import { type PlanDescription } from "../logical-plan/plan-description.ts";
import { createEngine } from "../session.ts";
import { allRules, type Rule } from "./optimizer.ts";

interface GoldenPlan {
  readonly text: string;
  /** Operators with their details, the first one first, as the rules before leave them. */
  readonly before: readonly string[];
  /** The same after the rule. */
  readonly after: readonly string[];
}

/** By the name of the rule: what it makes of plans. */
const GOLDEN: Readonly<Record<string, readonly GoldenPlan[]>> = {
  "merge filters": [
    {
      text: "MATCH (a:N) WHERE a.p > 1 WITH a WHERE a.q < 2 RETURN a",
      before: ["NodeByLabelScan :N", "Filter a.p > 1", "Filter a.q < 2"],
      after: ["NodeByLabelScan :N", "Filter a.p > 1 AND a.q < 2"],
    },
    {
      text: "MATCH (a:N)-[:R]->(b) MATCH (c:N) WHERE a.p = 1 WITH a, b, c WHERE b.p = c.p RETURN a.p",
      before: [
        "NodeByLabelScan :N",
        "Expand(All) (a)-[:R]->(b)",
        "Filter a.p = 1",
        "NodeByLabelScan :N",
        "Filter b.p = c.p",
        "Projection a.p AS a.p",
      ],
      after: [
        "NodeByLabelScan :N",
        "Expand(All) (a)-[:R]->(b)",
        "Filter a.p = 1",
        "NodeByLabelScan :N",
        "Filter b.p = c.p",
        "Projection a.p AS a.p",
      ],
    },
  ],
  "prune walks to distinct ends": [
    {
      text: "MATCH (a:N)-[:R*1..3]->(b) RETURN DISTINCT b",
      before: ["NodeByLabelScan :N", "VarLengthExpand(All) (a)-[:R]->(b)", "Distinct"],
      after: ["NodeByLabelScan :N", "VarLengthExpand(Pruning) (a)-[:R]->(b)", "Distinct"],
    },
    {
      text: "MATCH (a:N)-[:R*0..2]->(b) WHERE b.p = 1 RETURN count(DISTINCT b)",
      before: [
        "NodeByLabelScan :N",
        "VarLengthExpand(All) (a)-[:R]->(b)",
        "Filter b.p = 1",
        "EagerAggregation count(DISTINCT b)",
        "Projection count1 AS count(DISTINCT b)",
      ],
      after: [
        "NodeByLabelScan :N",
        "VarLengthExpand(Pruning) (a)-[:R]->(b)",
        "Filter b.p = 1",
        "EagerAggregation count(DISTINCT b)",
        "Projection count1 AS count(DISTINCT b)",
      ],
    },
    {
      text: "MATCH (a:N)-[:R*2..3]->(b) RETURN DISTINCT b",
      before: ["NodeByLabelScan :N", "VarLengthExpand(All) (a)-[:R]->(b)", "Distinct"],
      after: ["NodeByLabelScan :N", "VarLengthExpand(All) (a)-[:R]->(b)", "Distinct"],
    },
  ],
  "count the last expand": [
    {
      text: "MATCH (a:N)-[:R]->(b) RETURN count(*)",
      before: [
        "NodeByLabelScan :N",
        "Expand(All) (a)-[:R]->(b)",
        "EagerAggregation count(*)",
        "Projection count1 AS count(*)",
      ],
      after: [
        "NodeByLabelScan :N",
        "Expand(Count) (a)-[:R]->(b)",
        "EagerAggregation count(*)",
        "Projection count1 AS count(*)",
      ],
    },
    {
      text: "MATCH (a:N)-[:R]->(b)-[:R]->(c) WHERE c.p > 1 RETURN a.p, count(c)",
      before: [
        "NodeByLabelScan :N",
        "Expand(All) (a)-[:R]->(b)",
        "Expand(All) (b)-[:R]->(c)",
        "Filter UNNAMED21 <> UNNAMED11 AND c.p > 1",
        "EagerAggregation a.p, count(c)",
        "Projection count1 AS count(c)",
      ],
      after: [
        "NodeByLabelScan :N",
        "Expand(All) (a)-[:R]->(b)",
        "Expand(Count) (b)-[:R]->(c)",
        "EagerAggregation a.p, count(*)",
        "Projection count1 AS count(c)",
      ],
    },
    {
      text: "MATCH (a:N)-[:R]->(b) WHERE b.p > a.p RETURN count(*)",
      before: [
        "NodeByLabelScan :N",
        "Expand(All) (a)-[:R]->(b)",
        "Filter b.p > a.p",
        "EagerAggregation count(*)",
        "Projection count1 AS count(*)",
      ],
      after: [
        "NodeByLabelScan :N",
        "Expand(All) (a)-[:R]->(b)",
        "Filter b.p > a.p",
        "EagerAggregation count(*)",
        "Projection count1 AS count(*)",
      ],
    },
  ],
};

describe("each rule of the optimizer", () => {
  it("has plans that show what it does, and is in the list", () => {
    expect(Object.keys(GOLDEN)).toEqual(allRules.map(({ name }) => name));
    for (const plans of Object.values(GOLDEN)) {
      expect(plans.some(({ before, after }) => before.join() !== after.join())).toBe(true);
    }
  });

  it.each(Object.entries(GOLDEN).flatMap(([name, plans]) => plans.map((plan) => ({ name, ...plan }))))(
    "$name: $text",
    async ({ name, text, before, after }) => {
      const place = allRules.findIndex((rule) => rule.name === name);
      expect({
        before: await planWith(allRules.slice(0, place), text),
        after: await planWith(allRules.slice(0, place + 1), text),
      }).toEqual({ before, after });
    },
  );
});

async function planWith(rules: readonly Rule[], text: string): Promise<readonly string[]> {
  const store = await openGraphStore({ clock: systemClock });
  try {
    const engine = createEngine({ store, clock: systemClock, rules });
    return linesOf(engine.inspect(text).plan)
      .filter((line) => !/^(ProduceResults|Argument)/u.test(line))
      .toReversed();
  } finally {
    await store.close();
  }
}

/** Operators with their details, the last one first. */
function linesOf(plan: PlanDescription): readonly string[] {
  return [`${plan.operator} ${plan.details}`.trim(), ...plan.children.flatMap(linesOf)];
}
