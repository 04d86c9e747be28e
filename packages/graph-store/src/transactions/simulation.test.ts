import { assert } from "@trefoil/base";
import { describe, expect, test } from "vitest";
import { type LockMode, type LockOwner, LockTable } from "./lock-table.ts";

const [ACTORS, KEYS, STEPS] = [6, 4, 400];

interface Actor extends LockOwner {
  cost: number;
  readonly held: Map<number, LockMode>;
  /** What it waits for, until the table has answered. */
  waiting: { readonly key: number; readonly mode: LockMode } | undefined;
}

/** Random but repeatable. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Promises that can settle have settled after a few turns of the queue; nothing here waits for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await Promise.resolve();
  }
}

/** Lets actors take, wait for and release locks in an order that the seed decides; what happened, line by line. */
class Simulation {
  readonly events: string[] = [];
  readonly #locks = new LockTable(0);
  readonly #actors: Actor[];
  readonly #random: (below: number) => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    this.#actors = Array.from({ length: ACTORS }, (_, id) => ({ id, cost: 0, held: new Map(), waiting: undefined }));
  }

  async run(): Promise<void> {
    for (let step = 0; step < STEPS; step++) {
      const ready = this.#actors.filter(({ waiting }) => waiting === undefined);
      // Everyone waiting for someone: a deadlock that was not found.
      assert(ready.length > 0, "somebody can go on");
      this.#act(ready[this.#random(ready.length)]!);
      await settle();
      this.#check();
    }
    for (let left = this.#actors.length; left > 0; left--) {
      this.#actors.filter(({ waiting }) => waiting === undefined).forEach((actor) => this.#end(actor, "ends"));
      await settle();
    }
    expect(this.#actors.filter(({ waiting }) => waiting !== undefined)).toEqual([]);
    this.#actors.forEach((actor) => expect(this.#locks.holdsAny(actor)).toBe(false));
  }

  #act(actor: Actor): void {
    if (this.#random(6) === 0) {
      this.#end(actor, "ends");
      return;
    }
    const key = this.#random(KEYS);
    const mode: LockMode = this.#random(3) === 0 ? "shared" : "exclusive";
    actor.cost += this.#random(4);
    if (this.#locks.tryAcquire(actor, key, mode)) {
      this.#had(actor, key, mode);
      return;
    }
    this.events.push(`${actor.id} waits for ${key} ${mode}`);
    actor.waiting = { key, mode };
    this.#locks.wait(actor, key, mode).then(
      () => {
        actor.waiting = undefined;
        this.#had(actor, key, mode);
      },
      (error: unknown) => {
        expect(error).toMatchObject({ code: "TransientError.Transaction.DeadlockDetected" });
        actor.waiting = undefined;
        this.#end(actor, "gives way");
      },
    );
  }

  #had(actor: Actor, key: number, mode: LockMode): void {
    const before = actor.held.get(key);
    actor.held.set(key, before === "exclusive" ? before : mode);
    this.events.push(`${actor.id} has ${key} ${mode}`);
  }

  #end(actor: Actor, how: string): void {
    actor.held.clear();
    actor.cost = 0;
    this.events.push(`${actor.id} ${how}`);
    this.#locks.releaseAll(actor);
  }

  /** Nobody has what another one has alone, and who waits does so for a reason. */
  #check(): void {
    for (let key = 0; key < KEYS; key++) {
      const holders = this.#actors.filter(({ held }) => held.has(key));
      const alone = holders.filter(({ held }) => held.get(key) === "exclusive");
      assert(alone.length === 0 || holders.length === 1, "what one has alone nobody else has");
      const waiters = this.#actors.filter(({ waiting }) => waiting?.key === key);
      assert(waiters.length === 0 || holders.length > 0, "who waits waits for somebody");
    }
  }
}

describe("locks, simulated", () => {
  const seeds = Array.from({ length: Number(process.env["TREFOIL_SIMULATION_SEEDS"] ?? 40) }, (_, seed) => seed + 1);

  test("no order of steps gives one lock to two, or leaves a circle waiting; a seed always does the same", async () => {
    let victims = 0;
    for (const seed of seeds) {
      const [first, second] = [new Simulation(seed), new Simulation(seed)];
      await first.run();
      await second.run();
      expect(second.events).toEqual(first.events);
      victims += first.events.filter((event) => event.endsWith("gives way")).length;
    }
    expect(victims).toBeGreaterThan(seeds.length);
  }, 60_000);

  test("the one of a circle that has written least gives way", async () => {
    const locks = new LockTable(0);
    const [rich, poor, middling] = [9, 1, 5].map((cost, id) => ({ id, cost })) as [LockOwner, LockOwner, LockOwner];
    [rich, poor, middling].forEach((owner, key) => locks.tryAcquire(owner, key));
    const outcomes: string[] = [];
    const wait = (owner: LockOwner, key: number, name: string): void => {
      locks.wait(owner, key).then(
        () => outcomes.push(`${name} goes on`),
        () => outcomes.push(`${name} gives way`),
      );
    };
    wait(rich, 1, "rich");
    wait(poor, 2, "poor");
    wait(middling, 0, "middling");
    await settle();
    expect(outcomes).toEqual(["poor gives way"]);
    locks.releaseAll(poor);
    await settle();
    expect(outcomes).toEqual(["poor gives way", "rich goes on"]);
  });
});
