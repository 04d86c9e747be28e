import { systemClock } from "@trefoil/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openStore } from "../graph-store.ts";
import { type ReadView } from "../read-view.ts";
import { type Store } from "../store.ts";
import { StoreError } from "../errors.ts";
import { checkIndexAnswers } from "../testing/index-check.ts";
import { MemoryFiles } from "../testing/memory-files.ts";
import { type Transaction } from "../transactions/transaction.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { DateValue, DurationValue } from "../values/temporal-values.ts";
import { floatOf } from "../values/whole-float.ts";

const VALUES: readonly PropertyValue[] = [
  1,
  floatOf(1),
  2.5,
  2n ** 60n,
  2n ** 60n + 1n,
  floatOf(-0),
  Number.NaN,
  "a",
  "ab",
  "b\uffff",
  "",
  true,
  [1, 2],
  [floatOf(1), floatOf(2)],
  [],
  new DateValue(3),
  new DurationValue(0, 1, 0n, 0),
];
const KEYS = ["k0", "k1"];
const TOKENS = ["t0", "t1"];

const value = fc.constantFrom(...VALUES);
const property = fc.record({ pick: fc.nat(), key: fc.nat(1), value: fc.option(value, { nil: undefined }) });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("createNode"), token: fc.nat(1), value }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("createRelationship"), token: fc.nat(1), pick: fc.nat(), value }),
  },
  { weight: 6, arbitrary: property.map((one) => ({ kind: "setNode" as const, ...one })) },
  { weight: 4, arbitrary: property.map((one) => ({ kind: "setRelationship" as const, ...one })) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("label"), pick: fc.nat(), token: fc.nat(1), add: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete"), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("savepoint") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rollbackTo") }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("commit") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rollback") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hold"), snapshot: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("release"), pick: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("schema"),
      entity: fc.constantFrom("node" as const, "relationship" as const),
      token: fc.nat(1),
      keys: fc.constantFrom([0], [1], [1, 0]),
      unique: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop"), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("checkpoint") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen") }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test("indexes answer as a look at every entity does, in every view, whatever happens in between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50, size: "max" }), async (steps) => {
      const files = new MemoryFiles();
      const run = new Run(await openStore({ clock: systemClock }, files), files);
      for (const one of steps) {
        await run.take(one);
      }
      await run.finish();
    }),
    { numRuns: 80 },
  );
}, 120_000);

class Run {
  #store: Store;
  #files: MemoryFiles;
  #open: Transaction | undefined;
  #marks: number[] = [];
  #held: { readonly transaction: Transaction; readonly view: ReadView }[] = [];

  constructor(store: Store, files: MemoryFiles) {
    this.#store = store;
    this.#files = files;
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case "commit":
        await this.#ended((open) => open.commit());
        this.#checkAll();
        break;
      case "rollback":
        await this.#ended((open) => {
          open.rollback();
        });
        break;
      case "hold": {
        const transaction = this.#store.begin({ isolation: one.snapshot ? "snapshot" : "read-committed" });
        this.#held.push({ transaction, view: transaction.openView() });
        break;
      }
      case "release":
        this.#held.splice(one.pick % Math.max(1, this.#held.length), 1).forEach(({ transaction }) => {
          transaction.rollback();
        });
        break;
      case "schema":
        await this.#ended((open) => open.commit());
        await this.#changeSchema((transaction) => {
          const properties = one.keys.map((key) => KEYS[key] as string);
          const token = TOKENS[one.token] as string;
          return one.unique
            ? transaction.createConstraint({ kind: "unique", entity: one.entity, token, properties })
            : transaction.createIndex({ entity: one.entity, tokens: [token], properties });
        });
        this.#checkAll();
        break;
      case "drop": {
        await this.#ended((open) => open.commit());
        const { indexes } = this.#store.schema;
        const index = indexes[one.pick % Math.max(1, indexes.length)];
        await this.#changeSchema(async (transaction) => {
          if (index?.constraint !== undefined) {
            await transaction.dropConstraint(index.constraint);
          } else if (index !== undefined) {
            await transaction.dropIndex(index.name);
          }
        });
        break;
      }
      case "checkpoint":
        await this.#store.checkpoint();
        break;
      case "reopen":
        await this.#reopen();
        break;
      default:
        this.#write(this.#begun(), one);
    }
  }

  async finish(): Promise<void> {
    this.#checkAll();
    expect(await this.#store.check()).toEqual([]);
    this.#held.forEach(({ transaction }) => {
      transaction.rollback();
    });
    this.#held = [];
    await this.#ended((open) => open.commit());
    this.#checkAll();
    const { schema } = this.#store;
    await this.#reopen();
    expect(this.#store.schema.save()).toEqual(schema.save());
    this.#checkAll();
    expect(await this.#store.check()).toEqual([]);
  }

  async #reopen(): Promise<void> {
    this.#held = [];
    await this.#ended((open) => {
      open.rollback();
    });
    const { schema } = this.#store;
    await this.#store.close();
    this.#files = this.#files.afterPowerCut();
    this.#store = await openStore({ clock: systemClock }, this.#files);
    expect(this.#store.schema.save()).toEqual(schema.save());
    this.#checkAll();
  }

  async #ended(end: (open: Transaction) => Promise<void> | void): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    this.#marks = [];
    if (open !== undefined) {
      await end(open);
    }
  }

  async #changeSchema(change: (transaction: Transaction) => Promise<unknown>): Promise<void> {
    const transaction = this.#store.begin();
    try {
      await change(transaction);
      await transaction.commit();
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError);
      transaction.rollback();
    }
  }

  #begun(): Transaction {
    this.#open ??= this.#store.begin();
    return this.#open;
  }

  #checkAll(): void {
    const questions = {
      tokens: TOKENS.map((name) => this.#store.tokens.labels.idOf(name)),
      keys: KEYS.map((name) => this.#store.tokens.propertyKeys.idOf(name)),
      values: VALUES,
    };
    TOKENS.forEach((name) => this.#store.tokens.relationshipTypes.idOf(name));
    for (const { view, transaction } of this.#held) {
      checkIndexAnswers(view, questions);
      const again = transaction.openView();
      checkIndexAnswers(again, questions);
      transaction.releaseView(again);
    }
    const transaction = this.#open ?? this.#store.begin();
    const view = transaction.openView();
    checkIndexAnswers(view, questions);
    transaction.releaseView(view);
    if (transaction !== this.#open) {
      transaction.rollback();
    }
  }

  #write(open: Transaction, one: Step): void {
    const mark = open.savepoint();
    try {
      this.#writeOne(open, one);
      this.#checkAll();
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      // A value that must be unique and is not: the step has not happened.
      open.rollbackTo(mark);
    }
  }

  #writeOne(open: Transaction, one: Step): void {
    const view = open.openView();
    const nodes = idsOf(view.allNodes());
    const relationships = idsOf(view.allRelationships());
    open.releaseView(view);
    const tokens = TOKENS.map((name) => open.labelId(name));
    const types = TOKENS.map((name) => open.relationshipTypeId(name));
    const keys = KEYS.map((name) => open.propertyKeyId(name));
    switch (one.kind) {
      case "createNode": {
        const node = open.createNode([tokens[one.token] as number]);
        open.setNodeProperty(node, keys[0] as number, one.value);
        break;
      }
      case "createRelationship": {
        const node = nodes[one.pick % nodes.length];
        if (node !== undefined) {
          open.lockNode(node);
          const relationship = open.createRelationship(node, types[one.token] as number, node);
          open.setRelationshipProperty(relationship, keys[0] as number, one.value);
        }
        break;
      }
      case "setNode": {
        const node = nodes[one.pick % nodes.length];
        if (node !== undefined) {
          open.lockNode(node);
          open.setNodeProperty(node, keys[one.key] as number, one.value);
        }
        break;
      }
      case "setRelationship": {
        const relationship = relationships[one.pick % relationships.length];
        if (relationship !== undefined) {
          open.lockRelationship(relationship);
          open.setRelationshipProperty(relationship, keys[one.key] as number, one.value);
        }
        break;
      }
      case "label": {
        const node = nodes[one.pick % nodes.length];
        if (node !== undefined) {
          open.lockNode(node);
          open[one.add ? "addLabel" : "removeLabel"](node, tokens[one.token] as number);
        }
        break;
      }
      case "delete": {
        const relationship = relationships[one.pick % relationships.length];
        if (relationship !== undefined) {
          open.lockRelationship(relationship);
          open.deleteRelationship(relationship);
        } else if (nodes.length > 0) {
          const node = nodes[one.pick % nodes.length] as number;
          open.lockNode(node);
          open.deleteNode(node);
        }
        break;
      }
      case "savepoint":
        this.#marks.push(open.savepoint());
        break;
      case "rollbackTo": {
        const mark = this.#marks.pop();
        if (mark !== undefined) {
          open.rollbackTo(mark);
        }
        break;
      }
      default:
        break;
    }
  }
}

function idsOf(cursor: { next(): number }): number[] {
  const ids: number[] = [];
  for (let id = cursor.next(); id >= 0; id = cursor.next()) {
    ids.push(id);
  }
  return ids;
}
