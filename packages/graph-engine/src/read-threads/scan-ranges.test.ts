import { type IdRange } from "@trefoil/graph-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Variable } from "../binder/variable.ts";
import { nodeType } from "../binder/static-type.ts";
import { type PartitionedScan } from "../logical-plan/operator.ts";
import { TestGraph } from "../statements/test-graph.ts";
import { scanRanges } from "./scan-ranges.ts";

let graph: TestGraph;

beforeAll(async () => {
  graph = await TestGraph.open(
    "UNWIND range(1, 1000) AS i CREATE (:N)",
    // All of a label at one end, as an import leaves them.
    "UNWIND range(1, 300) AS i CREATE (:Late)",
    "MATCH (n:N) WHERE id(n) % 3 = 0 CREATE (n)-[:R]->(n)",
    "MATCH (n:N) WHERE id(n) % 7 = 0 DETACH DELETE n",
  );
});
afterAll(() => graph.store.close());

const node = new Variable("n", nodeType, false);
const source = { kind: "Argument" } as const;

test.each<[PartitionedScan, number]>([
  [{ kind: "AllNodesScan", node, source }, 1300],
  [{ kind: "NodeByLabelScan", node, label: "Late", source }, 300],
  [{ kind: "NodeByLabelScan", node, label: "N", source }, 1000],
  [{ kind: "AllRelationshipsScan", relationship: node, source }, 334],
])("every id is in one range, and there is about as much in each: %o", (scan, most) => {
  const transaction = graph.store.begin();
  const view = transaction.openView();
  const label = scan.kind === "NodeByLabelScan" ? graph.store.tokens.labels.find(scan.label) : -1;
  const idsIn = (range?: IdRange): readonly number[] => {
    const cursor =
      scan.kind === "AllNodesScan"
        ? view.allNodes(range)
        : scan.kind === "NodeByLabelScan"
          ? view.nodesWithLabel(label, range)
          : view.allRelationships(range);
    const ids: number[] = [];
    for (let id = cursor.next(); id >= 0; id = cursor.next()) {
      ids.push(id);
    }
    return ids;
  };
  const ranges = scanRanges(scan, view, graph.store.tokens, 4);
  expect(ranges.length).toBeGreaterThanOrEqual(3);
  expect(ranges.length).toBeLessThanOrEqual(4);
  const parts = ranges.map(idsIn);
  expect(parts.flat()).toEqual(idsIn());
  parts.forEach((part) => expect(part.length).toBeLessThanOrEqual(most / 4 + 32));

  // The same where there is more than the base.
  transaction.createNode([label < 0 ? 0 : label]);
  expect(view.clean).toBe(false);
  expect(ranges.flatMap(idsIn)).toEqual(idsIn().filter((id) => id < (ranges.at(-1)?.to ?? 0)));
  transaction.rollback();
});

test("there is none where nothing has the label", () => {
  const transaction = graph.store.begin();
  const scan = { kind: "NodeByLabelScan", node, label: "Unknown", source } as const;
  expect(scanRanges(scan, transaction.openView(), graph.store.tokens, 4)).toEqual([]);
  transaction.rollback();
});
