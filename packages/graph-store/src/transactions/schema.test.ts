import { systemClock } from "@trefoil/base";
import { expect, test } from "vitest";
import { openStore } from "../graph-store.ts";
import { type Store } from "../store.ts";
import { MemoryFiles } from "../testing/memory-files.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { floatOf } from "../values/whole-float.ts";
import { type Transaction } from "./transaction.ts";

async function storeWithUniqueIsbn(files = new MemoryFiles()): Promise<Store> {
  const store = await openStore({ clock: systemClock, lockTimeoutMs: 2_000 }, files);
  await inTransaction(store, (transaction) =>
    transaction.createConstraint({ kind: "unique", entity: "node", token: "Book", properties: ["isbn"] }),
  );
  return store;
}

async function inTransaction<T>(store: Store, work: (transaction: Transaction) => Promise<T> | T): Promise<T> {
  const transaction = store.begin();
  try {
    const result = await work(transaction);
    await transaction.commit();
    return result;
  } catch (error) {
    transaction.rollback();
    throw error;
  }
}

function createBook(transaction: Transaction, isbn: PropertyValue): number {
  const node = transaction.createNode([transaction.labelId("Book")]);
  transaction.setNodeProperty(node, transaction.propertyKeyId("isbn"), isbn);
  return node;
}

/** Whether a promise is still open after others had their turn. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol("open");
  const later = new Promise((resolve) => {
    setTimeout(resolve, 20, open);
  });
  return (await Promise.race([promise.catch(() => undefined), later])) === open;
}

test("a second value is refused at once, in the words of the interface; 1 and 1.0 are the same", async () => {
  const store = await storeWithUniqueIsbn();
  const first = await inTransaction(store, (transaction) => createBook(transaction, 1));
  const transaction = store.begin();
  expect(() => createBook(transaction, 1)).toThrow(
    expect.objectContaining({
      code: "ClientError.Schema.ConstraintViolation",
      message: `Node ${first} already exists with label Book and property "isbn"=[1]`,
    }),
  );
  transaction.rollback();
  const another = store.begin();
  expect(() => createBook(another, floatOf(1))).toThrow(/property "isbn"=\[1\.0\]/u);
  another.rollback();
});

test("a label or a property that makes a second one is refused, too; what was freed can be taken", async () => {
  const store = await storeWithUniqueIsbn();
  const first = await inTransaction(store, (transaction) => createBook(transaction, "x"));
  const transaction = store.begin();
  const isbn = transaction.propertyKeyId("isbn");
  const node = transaction.createNode([]);
  transaction.setNodeProperty(node, isbn, "x");
  const mark = transaction.savepoint();
  expect(() => {
    transaction.addLabel(node, transaction.labelId("Book"));
  }).toThrow(/already exists/u);
  transaction.rollbackTo(mark);
  expect(transaction.lockNode(first)).toBe(true);
  transaction.setNodeProperty(first, isbn, "y");
  transaction.addLabel(node, transaction.labelId("Book"));
  await transaction.commit();
});

test("who writes a value that another one has written waits; then it fails, or goes on when that was rolled back", async () => {
  for (const end of ["commit", "rollback"] as const) {
    const store = await storeWithUniqueIsbn();
    const first = store.begin();
    createBook(first, "x");
    const second = store.begin();
    createBook(second, "x");
    expect(second.settleUniqueKeys()).toBe(false);
    const committed = second.commit();
    expect(await isPending(committed)).toBe(true);
    await first[end]();
    const outcome = await committed.then(
      () => "committed",
      (error: { code: string }) => error.code,
    );
    expect(outcome).toBe(end === "commit" ? "ClientError.Schema.ConstraintViolation" : "committed");
    expect(store.statistics.nodeCount).toBe(1);
  }
});

test("many at once, one value: exactly one is made", async () => {
  const store = await storeWithUniqueIsbn();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, () => inTransaction(store, (transaction) => createBook(transaction, "only"))),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(store.statistics.nodeCount).toBe(1);
});

test("looking and making with the key locked: many at once end with one node", async () => {
  const store = await storeWithUniqueIsbn();
  const merge = (): Promise<number> =>
    inTransaction(store, async (transaction) => {
      const label = transaction.labelId("Book");
      const key = transaction.propertyKeyId("isbn");
      const view = transaction.openView();
      const find = (): number => view.entitiesWithValues("node", label, [key], ["m"]).next();
      if (find() < 0) {
        while (!transaction.lockUnique("node", [label], new Map([[key, "m"]]))) {
          await transaction.waitForLock();
        }
      }
      const found = find();
      return found < 0 ? createBook(transaction, "m") : found;
    });
  const found = await Promise.all(Array.from({ length: 30 }, merge));
  expect(new Set(found).size).toBe(1);
});

test("crossing keys are a deadlock, and one of the two gives way", async () => {
  const store = await storeWithUniqueIsbn();
  const first = store.begin();
  const second = store.begin();
  createBook(first, "a");
  createBook(second, "b");
  createBook(first, "b");
  createBook(second, "a");
  const outcomes = await Promise.allSettled([first.commit(), second.commit()]);
  const codes = outcomes.map((each) => (each.status === "rejected" ? (each.reason as { code: string }).code : "fine"));
  expect(codes.toSorted()).toEqual(["TransientError.Transaction.DeadlockDetected", "fine"]);
});

test("a constraint over data that breaks it is refused and says which", async () => {
  const store = await openStore({ clock: systemClock }, undefined);
  const [one, two] = await inTransaction(store, (transaction) => [
    createBook(transaction, 1),
    createBook(transaction, 1),
  ]);
  const made = inTransaction(store, (transaction) =>
    transaction.createConstraint({ kind: "unique", entity: "node", token: "Book", properties: ["isbn"] }),
  );
  await expect(made).rejects.toMatchObject({
    code: "DatabaseError.Schema.ConstraintCreationFailure",
    message:
      "Unable to create CONSTRAINT ON ( book:Book ) ASSERT book.isbn IS UNIQUE:\n" +
      `Multiple nodes with label \`Book\` have property \`isbn\` = 1:\n  node(${one})\n  node(${two})`,
  });
  expect(store.schema.indexes).toEqual([]);
});

test("a property that must be there is looked for at the commit, and in all data when the constraint is made", async () => {
  const store = await openStore({ clock: systemClock }, undefined);
  const exists = { kind: "exists", entity: "node", token: "Book", properties: ["isbn"] } as const;
  await inTransaction(store, (transaction) => transaction.createConstraint(exists));
  await inTransaction(store, (transaction) => createBook(transaction, 1));
  await expect(
    inTransaction(store, (transaction) => transaction.createNode([transaction.labelId("Book")])),
  ).rejects.toMatchObject({
    code: "ClientError.Schema.ConstraintViolation",
    message: expect.stringContaining("must have the property `isbn`") as unknown,
  });
  await expect(
    inTransaction(store, (transaction) => transaction.createConstraint({ ...exists, properties: ["title"] })),
  ).rejects.toMatchObject({ code: "DatabaseError.Schema.ConstraintCreationFailure" });
});

test("a key of two properties: both there, together unique", async () => {
  const store = await openStore({ clock: systemClock }, undefined);
  await inTransaction(store, (transaction) =>
    transaction.createConstraint({ kind: "key", entity: "node", token: "Seat", properties: ["row", "place"] }),
  );
  const createSeat = (row: number, place: number | undefined): Promise<unknown> =>
    inTransaction(store, (transaction) => {
      const node = transaction.createNode([transaction.labelId("Seat")]);
      transaction.setNodeProperty(node, transaction.propertyKeyId("row"), row);
      transaction.setNodeProperty(node, transaction.propertyKeyId("place"), place);
    });
  await createSeat(1, 1);
  await createSeat(1, 2);
  await expect(createSeat(1, 2)).rejects.toThrow(/properties "row"=\[1\], "place"=\[2\]/u);
  await expect(createSeat(1, undefined)).rejects.toThrow(/must have the property `place`/u);
});

test("a schema change waits for who has written, and who wants to write waits for it", async () => {
  const store = await openStore({ clock: systemClock, lockTimeoutMs: 2_000 }, undefined);
  const writer = store.begin();
  createBook(writer, 1);
  const changer = store.begin();
  const made = changer.createIndex({ entity: "node", tokens: ["Book"], properties: ["isbn"] });
  expect(await isPending(made)).toBe(true);
  await writer.commit();
  await made;
  const later = store.begin();
  expect(later.lockForWriting()).toBe(false);
  createBook(later, 2);
  const committed = later.commit();
  expect(await isPending(committed)).toBe(true);
  await changer.commit();
  await committed;
  const view = store.begin().openView();
  const label = store.tokens.labels.find("Book");
  const key = store.tokens.propertyKeys.find("isbn");
  expect(view.entitiesWithValues("node", label, [key], [2]).next()).toBeGreaterThanOrEqual(0);
  expect(store.statistics.indexEntries(store.schema.indexes[0]!.name)).toMatchObject({ size: 2, distinct: 2 });
});

test("what was written before a constraint came is checked by it", async () => {
  const store = await openStore({ clock: systemClock, lockTimeoutMs: 2_000 }, undefined);
  const changer = store.begin();
  await changer.createConstraint({ kind: "unique", entity: "node", token: "Book", properties: ["isbn"] });
  const writer = store.begin();
  createBook(writer, 1);
  createBook(writer, 1);
  const committed = writer.commit();
  await changer.commit();
  await expect(committed).rejects.toMatchObject({ code: "ClientError.Schema.ConstraintViolation" });
  expect(store.statistics.nodeCount).toBe(0);
});

test("data and schema do not share a transaction", async () => {
  const store = await openStore({ clock: systemClock }, undefined);
  const data = store.begin();
  createBook(data, 1);
  await expect(data.createIndex({ entity: "node", tokens: ["Book"], properties: ["isbn"] })).rejects.toMatchObject({
    code: "ClientError.Transaction.InvalidType",
  });
  data.rollback();
  const schema = store.begin();
  await schema.createIndex({ entity: "node", tokens: ["Book"], properties: ["isbn"] });
  expect(schema.schema.indexes).toHaveLength(1);
  expect(store.schema.indexes).toHaveLength(0);
  expect(() => createBook(schema, 1)).toThrow(
    expect.objectContaining({ code: "ClientError.Statement.ConstraintViolation" }),
  );
});

test("indexes, constraints and empty names: what exists, what does not, what cannot", async () => {
  const store = await storeWithUniqueIsbn();
  const attempt = async (work: (transaction: Transaction) => Promise<unknown>): Promise<string> => {
    try {
      await inTransaction(store, work);
      return "fine";
    } catch (error) {
      return (error as { code: string }).code.replace("ClientError.Schema.", "");
    }
  };
  const index = { entity: "node", tokens: ["A"], properties: ["p"], name: "a_p" } as const;
  expect(await attempt((each) => each.createIndex(index))).toBe("fine");
  expect(await attempt((each) => each.createIndex(index))).toBe("IndexAlreadyExists");
  expect(await attempt((each) => each.createIndex({ ...index, properties: ["q"] }))).toBe("IndexAlreadyExists");
  expect(await attempt((each) => each.createIndex({ ...index, tokens: ["Book"], properties: ["isbn"] }))).toBe(
    "ConstraintAlreadyExists",
  );
  const unique = { kind: "unique", entity: "node", token: "A", properties: ["p"] } as const;
  expect(await attempt((each) => each.createConstraint(unique))).toBe("IndexAlreadyExists");
  expect(await attempt((each) => each.createConstraint({ ...unique, token: "Book", properties: ["isbn"] }))).toBe(
    "ConstraintAlreadyExists",
  );
  expect(await attempt((each) => each.dropIndex(store.schema.indexes[0]!.name))).toBe("IndexBelongsToConstraint");
  expect(await attempt((each) => each.dropIndex("nope"))).toBe("NoSuchIndex");
  expect(await attempt((each) => each.dropConstraint("nope"))).toBe("NoSuchConstraint");
  expect(await attempt((each) => each.createIndex({ ...index, name: "e", tokens: [""] }))).toBe("IllegalTokenName");
  expect(await attempt((each) => each.dropIndex("a_p"))).toBe("fine");
  expect(await attempt((each) => each.dropConstraint(store.schema.constraints[0]!.name))).toBe("fine");
  expect(store.schema.save()).toEqual({ indexes: [], constraints: [] });
});

test("the schema is there after a power cut, from log and from checkpoint, and still holds", async () => {
  const files = new MemoryFiles();
  const store = await storeWithUniqueIsbn(files);
  await inTransaction(store, (transaction) => createBook(transaction, "x"));
  for (const checkpoint of [false, true]) {
    if (checkpoint) {
      await store.checkpoint();
    }
    const again = await openStore({ clock: systemClock }, files.afterPowerCut());
    expect(again.schema.save()).toEqual(store.schema.save());
    await expect(inTransaction(again, (transaction) => createBook(transaction, "x"))).rejects.toThrow(
      /already exists/u,
    );
    await again.close();
  }
});
