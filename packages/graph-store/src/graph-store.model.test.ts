import { systemClock } from "@trefoil/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openStore } from "./graph-store.ts";
import { type ReadView } from "./read-view.ts";
import { type Store } from "./store.ts";
import { dumpView, type GraphDump, valueText } from "./testing/graph-dump.ts";
import { MemoryFiles } from "./testing/memory-files.ts";
import { type Transaction } from "./transactions/transaction.ts";
import { type PropertyValue } from "./values/property-value.ts";
import { floatOf } from "./values/whole-float.ts";

/** What the store should hold: plain objects, copied whole where the store keeps versions. */
interface Model {
  nodes: Map<number, { labels: Set<number>; properties: Map<number, PropertyValue> }>;
  relationships: Map<number, { ends: [number, number, number]; properties: Map<number, PropertyValue> }>;
}

interface OpenTransaction {
  readonly transaction: Transaction;
  model: Model;
  marks: { readonly mark: number; readonly model: Model }[];
}

interface HeldView {
  readonly transaction: Transaction;
  readonly view: ReadView;
  readonly dump: GraphDump;
}

const value = fc.oneof<fc.Arbitrary<PropertyValue>[]>(
  fc.boolean(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).filter((n) => n > 2n ** 53n || n < -(2n ** 53n)),
  fc.double().map(floatOf),
  fc.string({ unit: "binary" }),
  fc.constantFrom("a", "b", "c"),
  fc.array(fc.string(), { maxLength: 3 }),
);

/** `pick` chooses among what is there at the time. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("createNode"), labels: fc.uniqueArray(fc.nat(3)) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("createRelationship"), pick: fc.nat(), type: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("setNode"), pick: fc.nat(), key: fc.nat(2), value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("unsetNode"), pick: fc.nat(), key: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("setRelationship"), pick: fc.nat(), key: fc.nat(2), value }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("label"), pick: fc.nat(), label: fc.nat(3), add: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("deleteRelationship"), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("detachDelete"), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("savepoint") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rollbackTo"), pick: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("commit") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rollback") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("holdView"), snapshot: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("checkView"), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("checkpoint") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen") }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type ControlKind = "commit" | "rollback" | "holdView" | "checkView" | "checkpoint" | "reopen";
type WriteStep = Exclude<Step, { kind: ControlKind }>;

test("does what a plain model does: transactions, savepoints, held views, checkpoints and restarts at random", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80, size: "max" }), async (steps) => {
      const run = await Run.start();
      for (const one of steps) {
        await run.take(one);
      }
      await run.finish();
    }),
    { numRuns: 250 },
  );
}, 120_000);

class Run {
  #store: Store;
  readonly #files: MemoryFiles;
  #model: Model = { nodes: new Map(), relationships: new Map() };
  #open: OpenTransaction | undefined;
  #held: HeldView[] = [];

  private constructor(store: Store, files: MemoryFiles) {
    this.#store = store;
    this.#files = files;
  }

  static async start(): Promise<Run> {
    const files = new MemoryFiles();
    return new Run(await openStore({ clock: systemClock }, files), files);
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case "commit": {
        const open = this.#begun();
        await open.transaction.commit();
        this.#model = open.model;
        this.#open = undefined;
        this.#checkNow();
        break;
      }
      case "rollback":
        this.#begun().transaction.rollback();
        this.#open = undefined;
        this.#checkNow();
        break;
      case "holdView": {
        const transaction = this.#store.begin({ isolation: one.snapshot ? "snapshot" : "read-committed" });
        const view = transaction.openView();
        this.#held.push({ transaction, view, dump: dumpOf(this.#model) });
        break;
      }
      case "checkView": {
        const [held] = this.#held.splice(one.pick % Math.max(this.#held.length, 1), 1);
        if (held !== undefined) {
          expect(dumpView(held.view)).toEqual(held.dump);
          const again = held.transaction.openView();
          const expected = held.transaction.isolation === "snapshot" ? held.dump : dumpOf(this.#model);
          expect(dumpView(again)).toEqual(expected);
          held.transaction.rollback();
        }
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
    for (const held of this.#held) {
      expect(dumpView(held.view)).toEqual(held.dump);
      held.transaction.rollback();
    }
    this.#held = [];
    this.#open?.transaction.rollback();
    // What was committed while relationships were read goes into the base after that.
    await this.#store.readRelationships();
    const view = this.#store.begin().openView();
    expect(view.clean).toBe(true);
    expect(dumpView(view)).toEqual(dumpOf(this.#model));
    expect(await this.#store.check()).toEqual([]);
    await this.#reopen();
    this.#checkNow();
    expect(await this.#store.check()).toEqual([]);
  }

  /** As after a power cut: only what was synced is there. */
  async #reopen(): Promise<void> {
    this.#held = [];
    this.#open = undefined;
    this.#store = await openStore({ clock: systemClock }, this.#files.afterPowerCut());
    this.#checkNow();
    await this.#store.close();
    this.#store = await openStore({ clock: systemClock }, this.#files);
  }

  #begun(): OpenTransaction {
    this.#open ??= { transaction: this.#store.begin(), model: copyOf(this.#model), marks: [] };
    return this.#open;
  }

  #checkNow(): void {
    const transaction = this.#store.begin();
    expect(dumpView(transaction.openView())).toEqual(dumpOf(this.#model));
    transaction.rollback();
  }

  #write(open: OpenTransaction, one: WriteStep): void {
    const { transaction, model } = open;
    const nodes = [...model.nodes.keys()];
    const relationships = [...model.relationships.keys()];
    for (const name of ["t0", "t1", "t2", "t3"]) {
      transaction.labelId(name);
      transaction.relationshipTypeId(name);
      transaction.propertyKeyId(name);
    }
    switch (one.kind) {
      case "createNode": {
        const node = transaction.createNode(one.labels);
        expect(model.nodes.has(node)).toBe(false);
        model.nodes.set(node, { labels: new Set(one.labels), properties: new Map() });
        break;
      }
      case "createRelationship": {
        const start = nodes[one.pick % nodes.length];
        const end = nodes[(one.pick >>> 4) % nodes.length];
        if (start !== undefined && end !== undefined) {
          lockNodes(open, this.#model, [start, end]);
          const id = transaction.createRelationship(start, one.type, end);
          model.relationships.set(id, { ends: [start, one.type, end], properties: new Map() });
        }
        break;
      }
      case "setNode":
      case "unsetNode": {
        const node = nodes[one.pick % nodes.length];
        if (node !== undefined) {
          lockNodes(open, this.#model, [node]);
          const written = one.kind === "setNode" ? one.value : undefined;
          transaction.setNodeProperty(node, one.key, written);
          assign(model.nodes.get(node)!.properties, one.key, written);
        }
        break;
      }
      case "setRelationship": {
        const id = relationships[one.pick % relationships.length];
        if (id !== undefined) {
          expect(transaction.lockRelationship(id)).toBe(true);
          transaction.setRelationshipProperty(id, one.key, one.value);
          assign(model.relationships.get(id)!.properties, one.key, one.value);
        }
        break;
      }
      case "label": {
        const node = nodes[one.pick % nodes.length];
        if (node !== undefined) {
          lockNodes(open, this.#model, [node]);
          transaction[one.add ? "addLabel" : "removeLabel"](node, one.label);
          model.nodes.get(node)!.labels[one.add ? "add" : "delete"](one.label);
        }
        break;
      }
      case "deleteRelationship":
        this.#deleteRelationship(open, relationships[one.pick % relationships.length]);
        break;
      case "detachDelete": {
        const node = nodes[one.pick % nodes.length];
        if (node !== undefined) {
          const attached = [...model.relationships].filter(([, { ends }]) => ends[0] === node || ends[2] === node);
          attached.forEach(([id]) => this.#deleteRelationship(open, id));
          lockNodes(open, this.#model, [node]);
          transaction.deleteNode(node);
          model.nodes.delete(node);
        }
        break;
      }
      case "savepoint":
        open.marks.push({ mark: transaction.savepoint(), model: copyOf(model) });
        break;
      case "rollbackTo": {
        const index = one.pick % Math.max(open.marks.length, 1);
        const back = open.marks[index];
        if (back !== undefined) {
          transaction.rollbackTo(back.mark);
          open.model = copyOf(back.model);
          open.marks.length = index + 1;
        }
        break;
      }
    }
    const view = transaction.openView();
    expect(dumpView(view)).toEqual(dumpOf(open.model));
    transaction.releaseView(view);
  }

  #deleteRelationship(open: OpenTransaction, id: number | undefined): void {
    if (id !== undefined) {
      open.transaction.lockRelationship(id);
      open.transaction.deleteRelationship(id);
      open.model.relationships.delete(id);
    }
  }
}

function lockNodes({ transaction }: OpenTransaction, committed: Model, nodes: readonly number[]): void {
  for (const node of nodes.filter((one) => committed.nodes.has(one))) {
    expect(transaction.lockNode(node)).toBe(true);
  }
}

function assign(properties: Map<number, PropertyValue>, key: number, written: PropertyValue | undefined): void {
  if (written === undefined) {
    properties.delete(key);
  } else {
    properties.set(key, written);
  }
}

function copyOf(model: Model): Model {
  return {
    nodes: new Map(
      [...model.nodes].map(([id, node]) => [
        id,
        { labels: new Set(node.labels), properties: new Map(node.properties) },
      ]),
    ),
    relationships: new Map(
      [...model.relationships].map(([id, one]) => [id, { ends: one.ends, properties: new Map(one.properties) }]),
    ),
  };
}

function dumpOf(model: Model): GraphDump {
  const plain = (properties: Map<number, PropertyValue>): Record<string, string> =>
    Object.fromEntries([...properties].map(([key, one]) => [key, valueText(one)]));
  return {
    nodes: Object.fromEntries(
      [...model.nodes].map(([id, { labels, properties }]) => [
        id,
        { labels: [...labels].toSorted((a, b) => a - b), properties: plain(properties) },
      ]),
    ),
    relationships: Object.fromEntries(
      [...model.relationships].map(([id, { ends, properties }]) => [id, { ends, properties: plain(properties) }]),
    ),
  };
}
