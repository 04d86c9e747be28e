import { must, systemClock } from "@trefoil/base";
import { expect, test } from "vitest";
import { openGraphStore, openSharedGraph } from "../graph-store.ts";
import { type ReadView } from "../read-view.ts";

test("another thread knows the indexes, and fills one when it is first asked", async () => {
  const store = await openGraphStore({ clock: systemClock });
  const writer = store.begin();
  const label = writer.labelId("Person");
  const key = writer.propertyKeyId("age");
  const ages = [30, 40, 30];
  const nodes = ages.map((age) => {
    const node = writer.createNode([label]);
    writer.setNodeProperty(node, key, age);
    return node;
  });
  await writer.commit();
  const schema = store.begin();
  const request = { kind: "range", entity: "node", tokens: ["Person"], properties: ["age"] } as const;
  const { name } = await schema.createIndex(request);
  await schema.commit();

  const reading = store.begin();
  const graph = must(store.share(reading.openView()), "nothing is newer than the base");
  const other = openSharedGraph(graph, systemClock);
  expect(other.schema.indexes).toEqual(store.schema.indexes);
  const known = store.statistics.indexEntries(name);
  expect(other.statistics.indexEntries(name)).toMatchObject({ size: known?.size, distinct: known?.distinct });
  const view = other.begin().openView();
  expect(idsWith(view, label, key, 30)).toEqual([nodes[0], nodes[2]]);
  expect(idsWith(view, label, key, 50)).toEqual([]);
  expect(other.statistics.indexEntries(name)).toMatchObject({ size: 3, distinct: 2 });
  reading.rollback();
});

function idsWith(view: ReadView, label: number, key: number, value: number): readonly number[] {
  const ids: number[] = [];
  const cursor = view.entitiesWithValues("node", label, [key], [value]);
  for (let id = cursor.next(); id >= 0; id = cursor.next()) {
    ids.push(id);
  }
  return ids;
}
