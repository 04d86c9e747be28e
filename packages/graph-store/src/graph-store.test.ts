import { systemClock } from "@trefoil/base";
import { describe, expect, test } from "vitest";
import { type GraphStore, openGraphStore } from "./graph-store.ts";
import { type ExpandBuffer, type ReadView } from "./read-view.ts";
import { type Transaction } from "./transactions/transaction.ts";
import { type PropertyValue } from "./values/property-value.ts";
import {
  DateTimeValue,
  DateValue,
  DurationValue,
  LocalDateTimeValue,
  LocalTimeValue,
  PointValue,
  TimeValue,
} from "./values/temporal-values.ts";
import { WholeFloat } from "./values/whole-float.ts";

const open = (): Promise<GraphStore> => openGraphStore({ clock: systemClock, lockTimeoutMs: 200 });

function reading<T>(store: GraphStore, read: (view: ReadView) => T): T {
  const transaction = store.begin();
  try {
    return read(transaction.openView());
  } finally {
    transaction.rollback();
  }
}

function neighbours(view: ReadView, node: number, direction: "out" | "in" | "both", types: number[] = []): number[] {
  const buffer: ExpandBuffer = { relationships: new Int32Array(1), neighbours: new Int32Array(1) };
  const count = view.expand(node, direction, types, buffer);
  expect(view.degree(node, direction, types)).toBe(count);
  return [...buffer.neighbours.subarray(0, count)].toSorted((a, b) => a - b);
}

/** Commits what `write` does and returns what it returns. */
async function writing<T>(store: GraphStore, write: (transaction: Transaction) => T): Promise<T> {
  const transaction = store.begin();
  const result = write(transaction);
  await transaction.commit();
  return result;
}

async function lockNode(transaction: Transaction, node: number): Promise<void> {
  while (!transaction.lockNode(node)) {
    await transaction.waitForLock();
  }
}

describe("graph store in memory", () => {
  test("shows a commit to later views only, and one's own writes at once", async () => {
    const store = await open();
    const writer = store.begin();
    const label = writer.labelId("Person");
    const knows = writer.relationshipTypeId("KNOWS");
    const name = writer.propertyKeyId("name");
    const a = writer.createNode([label]);
    const b = writer.createNode([]);
    writer.setNodeProperty(a, name, "Ada");
    const r = writer.createRelationship(a, knows, b);
    writer.setRelationshipProperty(r, name, 3n ** 39n);
    const own = writer.openView();
    expect(own.nodeProperty(a, name)).toBe("Ada");
    expect(neighbours(own, a, "out")).toEqual([b]);
    writer.releaseView(own);

    const reader = store.begin();
    const before = reader.openView();
    await writer.commit();
    expect(before.nodeExists(a)).toBe(false);
    expect(before.nodeCount()).toBe(0);
    expect(neighbours(before, a, "both")).toEqual([]);
    const after = reader.openView();
    expect(after.nodeCount()).toBe(2);
    expect(after.nodeCount(label)).toBe(1);
    expect(after.relationshipCount(knows)).toBe(1);
    expect(after.hasLabel(a, label)).toBe(true);
    expect(after.labelsOf(a)).toEqual([label]);
    expect(after.relationshipProperty(r, name)).toBe(3n ** 39n);
    expect(neighbours(after, b, "in", [knows])).toEqual([a]);
    reader.rollback();
    expect(reading(store, (view) => [view.clean, view.nodeCount()])).toEqual([true, 2]);
    expect(store.statistics.relationshipsAtLabel(label, knows, "out")).toBe(1);
    expect(store.statistics.relationshipsAtLabel(label, knows, "in")).toBe(0);
  });

  test.each<[string, PropertyValue[]]>([
    ["booleans", [true, false]],
    ["small integers and their limits", [1, -7, 2147483647, -2147483648, 2 ** 40]],
    ["all integers", [1, 2 ** 53 - 1, 2n ** 63n - 1n, -(2n ** 63n)]],
    ["floats", [1.5, new WholeFloat(1), new WholeFloat(-0), Number.NaN, Number.POSITIVE_INFINITY]],
    ["strings", ["", "a", "ß", "𝄞", "\ud800", "a"]],
    [
      "dates, times, durations and points",
      [
        new DateValue(-719_528),
        new LocalTimeValue(86_399_999_999_999),
        new TimeValue(0, -3600),
        new LocalDateTimeValue(20_000, 1),
        new DateTimeValue(20_000, 5, 7200, "Europe/Paris"),
        new DateTimeValue(-1, 5, 0),
        new DurationValue(-5, 3, -(2n ** 60n), 999_999_999),
        [new DateValue(1), new DateValue(2)],
        new PointValue(4979, [1.5, -0, 3]),
      ],
    ],
    ["any", [1, "a", 1.5, [1, 2], [], ["x", "\udc00"], [new WholeFloat(2), 2.5], true]],
  ])("keeps %s as they were, while the column widens and when it is overwritten", async (_, values) => {
    const store = await open();
    const ids = await writing(store, (transaction) =>
      values.map((value) => {
        const node = transaction.createNode([]);
        transaction.setNodeProperty(node, transaction.propertyKeyId("p"), value);
        return node;
      }),
    );
    expect(reading(store, (view) => ids.map((id) => view.nodeProperty(id, 0)))).toEqual(values);
    await writing(store, (transaction) =>
      ids.forEach((id, index) => {
        transaction.lockNode(id);
        transaction.setNodeProperty(id, 0, values.at(-1 - index));
      }),
    );
    expect(reading(store, (view) => ids.map((id) => view.nodeProperty(id, 0)))).toEqual(values.toReversed());
  });

  test("undoes a statement at its savepoint", async () => {
    const store = await open();
    const [a, r] = await writing(store, (transaction) => {
      const node = transaction.createNode([transaction.labelId("A")]);
      transaction.setNodeProperty(node, transaction.propertyKeyId("p"), 1);
      const loop = transaction.createRelationship(node, transaction.relationshipTypeId("R"), node);
      return [node, loop];
    });
    const transaction = store.begin();
    await lockNode(transaction, a!);
    transaction.lockRelationship(r!);
    transaction.setNodeProperty(a!, 0, 2);
    const mark = transaction.savepoint();
    transaction.setNodeProperty(a!, 0, 3);
    transaction.removeLabel(a!, 0);
    transaction.deleteRelationship(r!);
    transaction.deleteNode(a!);
    transaction.createNode([]);
    transaction.rollbackTo(mark);
    expect(transaction.counts).toMatchObject({ nodesCreated: 0, nodesDeleted: 0, propertiesSet: 1, labelsRemoved: 0 });
    await transaction.commit();
    reading(store, (view) => {
      expect(view.nodeCount()).toBe(1);
      expect(view.nodeProperty(a!, 0)).toBe(2);
      expect(view.hasLabel(a!, 0)).toBe(true);
      expect(neighbours(view, a!, "both")).toEqual([a]);
      expect(neighbours(view, a!, "out")).toEqual([a]);
    });
  });

  test("refuses to leave a relationship without its node", async () => {
    const store = await open();
    const [a, r] = await writing(store, (transaction) => {
      const node = transaction.createNode([]);
      return [node, transaction.createRelationship(node, transaction.relationshipTypeId("R"), node)];
    });
    const refused = store.begin();
    refused.lockNode(a!);
    refused.deleteNode(a!);
    await expect(refused.commit()).rejects.toMatchObject({
      code: "ClientError.Schema.ConstraintViolation",
      message: `Node with id ${a} still has relationships, and cannot be deleted.`,
    });
    expect(refused.state).toBe("rolled back");
    await writing(store, (transaction) => {
      transaction.lockNode(a!);
      transaction.lockRelationship(r!);
      transaction.deleteNode(a!);
      transaction.deleteRelationship(r!);
    });
    expect(reading(store, (view) => view.nodeCount() + view.relationshipCount())).toBe(0);
  });

  test("does not give a freed id to a stranger soon", async () => {
    const store = await open();
    const a = await writing(store, (transaction) => transaction.createNode([]));
    await writing(store, (transaction) => {
      transaction.lockNode(a);
      transaction.deleteNode(a);
    });
    expect(await writing(store, (transaction) => transaction.createNode([]))).not.toBe(a);
  });
});

describe("concurrent transactions", () => {
  test("never lose an update: a writer that waited reads what was committed meanwhile", async () => {
    const store = await open();
    const node = await writing(store, (transaction) => {
      const created = transaction.createNode([]);
      transaction.setNodeProperty(created, transaction.propertyKeyId("count"), 0);
      return created;
    });
    const increment = async (): Promise<void> => {
      const transaction = store.begin();
      const view = transaction.openView();
      await lockNode(transaction, node);
      transaction.setNodeProperty(node, 0, (view.nodeProperty(node, 0) as number) + 1);
      await Promise.resolve();
      transaction.releaseView(view);
      await transaction.commit();
    };
    await Promise.all(Array.from({ length: 50 }, increment));
    expect(reading(store, (view) => view.nodeProperty(node, 0))).toBe(50);
    expect(reading(store, (view) => view.clean)).toBe(true);
  });

  test("what was deleted while one waited for it cannot be written to", async () => {
    const store = await open();
    const [a, r] = await writing(store, (transaction) => {
      const created = transaction.createNode([]);
      return [created, transaction.createRelationship(created, transaction.relationshipTypeId("R"), created)];
    });
    const deleter = store.begin();
    deleter.lockNode(a!);
    deleter.lockRelationship(r!);
    deleter.deleteRelationship(r!);
    deleter.deleteNode(a!);
    const late = store.begin();
    const view = late.openView();
    const locked = lockNode(late, a!);
    await deleter.commit();
    await locked;
    expect(view.nodeExists(a!)).toBe(false);
    expect(view.relationshipExists(r!)).toBe(false);
    const other = late.createNode([]);
    const gone = expect.objectContaining({ code: "ClientError.Statement.EntityNotFound" });
    expect(() => late.setNodeProperty(a!, late.propertyKeyId("p"), 1)).toThrowError(gone);
    expect(() => late.createRelationship(other, 0, a!)).toThrowError(gone);
    late.lockRelationship(r!);
    expect(() => late.deleteRelationship(r!)).toThrowError(gone);
    late.rollback();
    expect(reading(store, (now) => now.nodeCount())).toBe(0);
  });

  test("a deadlock has exactly one victim", async () => {
    const store = await open();
    const [a, b] = await writing(store, (transaction) => [transaction.createNode([]), transaction.createNode([])]);
    const crossing = async (first: number, second: number): Promise<string> => {
      const transaction = store.begin();
      try {
        await lockNode(transaction, first);
        transaction.setNodeProperty(first, transaction.propertyKeyId("by"), transaction.id);
        await new Promise((resolve) => setImmediate(resolve));
        await lockNode(transaction, second);
        await transaction.commit();
        return "committed";
      } catch (error) {
        transaction.rollback();
        return (error as { code: string }).code;
      }
    };
    const outcomes = await Promise.all([crossing(a!, b!), crossing(b!, a!)]);
    expect(outcomes.toSorted()).toEqual(["TransientError.Transaction.DeadlockDetected", "committed"]);
  });

  test("a wait ends at its timeout, and when its transaction is terminated", async () => {
    const store = await open();
    const node = await writing(store, (transaction) => transaction.createNode([]));
    const holder = store.begin();
    holder.lockNode(node);
    const late = store.begin();
    expect(late.lockNode(node)).toBe(false);
    await expect(late.waitForLock()).rejects.toMatchObject({ code: "TransientError.Transaction.AcquireLockTimeout" });
    const stopped = store.begin();
    stopped.lockNode(node);
    const wait = stopped.waitForLock();
    stopped.terminate(new Error("enough"));
    await expect(wait).rejects.toThrow("enough");
    expect(() => stopped.createNode([])).toThrow("enough");
    stopped.rollback();
    late.rollback();
    holder.rollback();
    expect(store.begin().lockNode(node)).toBe(true);
  });

  test("snapshot: one state throughout, and the first updater wins", async () => {
    const store = await open();
    const node = await writing(store, (transaction) => {
      const created = transaction.createNode([]);
      transaction.setNodeProperty(created, transaction.propertyKeyId("p"), "old");
      return created;
    });
    const snapshot = store.begin({ isolation: "snapshot" });
    await writing(store, (transaction) => {
      transaction.lockNode(node);
      transaction.setNodeProperty(node, 0, "new");
    });
    expect(snapshot.openView().nodeProperty(node, 0)).toBe("old");
    expect(() => snapshot.lockNode(node)).toThrowError(
      expect.objectContaining({ code: "TransientError.Transaction.Outdated" }),
    );
    snapshot.rollback();
    expect(reading(store, (view) => view.nodeProperty(node, 0))).toBe("new");
  });
});
