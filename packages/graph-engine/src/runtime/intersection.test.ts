import { systemClock } from "@trefoil/base";
import { type Direction, type ExpandBuffer, openGraphStore, type ReadView } from "@trefoil/graph-store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newIntersection } from "./intersection.ts";

const DIRECTIONS: readonly Direction[] = ["out", "in", "both"];
const NODES = 60;

/** Parallel relationships, loops, and two nodes that nearly all others know many times over. */
const relationships = fc.array(
  fc.tuple(
    fc.nat(NODES - 1),
    fc.oneof({ weight: 2, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(NODES - 1) }),
  ),
  { minLength: 200, maxLength: 500, size: "max" },
);
const legs = fc.array(fc.constantFrom(...DIRECTIONS), { minLength: 2, maxLength: 3 });

describe("an intersection", () => {
  it.each([true, false])(
    "has one row per choice of relationships (committed: %s)",
    { timeout: 30_000 },
    async (isCommitted) => {
      await fc.assert(
        fc.asyncProperty(
          relationships,
          legs,
          fc.infiniteStream(fc.nat(NODES - 1)),
          async (pairs, directions, nodes) => {
            const store = await openGraphStore({ clock: systemClock });
            let transaction = store.begin();
            const ids = Array.from({ length: NODES }, () => transaction.createNode([]));
            const type = transaction.relationshipTypeId("R");
            pairs.forEach(([from, to]) => transaction.createRelationship(ids[from]!, type, ids[to]!));
            if (isCommitted) {
              await transaction.commit();
              transaction = store.begin();
            }
            const view = transaction.openView();
            const intersection = newIntersection(
              ...directions.map((direction) => ({ view, direction, types: [type], isSettled: true })),
            );
            const held = directions.map(() => ids[nodes.next().value]!);
            for (let turn = 0; turn < 40; turn++) {
              // As in nested loops: the last changes most.
              const changed = turn % 7 === 0 ? 0 : directions.length - 1;
              held[changed] = ids[nodes.next().value % (turn % 2 === 0 ? 2 : NODES)]!;
              held.forEach((node, index) => intersection.sets[index]!.open(node));
              const count = intersection.meet();
              const rows = Array.from({ length: count }, (_unused, row) =>
                [intersection.nodes[row], ...intersection.relationships.map((column) => column[row])].join(),
              );
              expect(rows.toSorted()).toEqual(naive(view, held, directions, type).toSorted());
            }
            transaction.rollback();
            await store.close();
          },
        ),
        { numRuns: 20 },
      );
    },
  );
});

function naive(view: ReadView, nodes: readonly number[], directions: readonly Direction[], type: number): string[] {
  const lists = nodes.map((node, index) => neighboursOf(view, node, directions[index]!, type));
  let rows = lists[0]!.map(({ neighbour, relationship }) => ({ neighbour, text: `${neighbour},${relationship}` }));
  for (const list of lists.slice(1)) {
    rows = rows.flatMap(({ neighbour, text }) =>
      list
        .filter((each) => each.neighbour === neighbour)
        .map(({ relationship }) => ({ neighbour, text: `${text},${relationship}` })),
    );
  }
  return rows.map(({ text }) => text);
}

function neighboursOf(
  view: ReadView,
  node: number,
  direction: Direction,
  type: number,
): { neighbour: number; relationship: number }[] {
  const buffer: ExpandBuffer = { relationships: new Int32Array(4), neighbours: new Int32Array(4) };
  const count = view.expand(node, direction, [type], buffer);
  return Array.from({ length: count }, (_unused, place) => ({
    neighbour: buffer.neighbours[place]!,
    relationship: buffer.relationships[place]!,
  }));
}
