import { ManualClock } from "@trefoil/base";
import { type TokenTables, type Transaction } from "@trefoil/graph-store";
import { describe, expect, it } from "vitest";
import { TransactionRegistry } from "./transaction-registry.ts";

const NO_TOKENS = {} as TokenTables;

/** A transaction that only notes what becomes of it. */
class Probe {
  state = "open";
  rollback(): void {
    this.state = "rolled back";
  }
  terminate(): void {
    this.state = "terminated";
  }
}

function setUp(timeoutMs = 60_000): { registry: TransactionRegistry; clock: ManualClock; probes: Probe[] } {
  const clock = new ManualClock(0);
  const probes: Probe[] = [];
  const begin = (): Transaction => {
    const probe = new Probe();
    probes.push(probe);
    return probe as unknown as Transaction;
  };
  const registry = new TransactionRegistry({ source: { begin, tokens: NO_TOKENS }, clock, timeoutMs });
  return { registry, clock, probes };
}

describe("TransactionRegistry", () => {
  it("counts ids from 1", () => {
    const { registry } = setUp();
    expect([registry.begin(undefined).id, registry.begin(undefined).id]).toEqual([1, 2]);
  });

  it("gives a kept transaction to one request at a time", () => {
    const { registry } = setUp();
    registry.begin(undefined).keep();
    const lease = registry.acquire(1);
    expect(() => registry.acquire(1)).toThrow("The requested transaction is being used concurrently");
    lease.keep();
    expect(registry.acquire(1).id).toBe(1);
  });

  it("expires what has been idle for the timeout, counted from the last answer", () => {
    const { registry, clock, probes } = setUp();
    expect(registry.begin(undefined).keep()).toBe(60_000);
    clock.advance(59_000);
    registry.sweep();
    registry.acquire(1).keep();
    clock.advance(59_000);
    registry.sweep();
    expect(registry.size).toBe(1);
    clock.advance(1_000);
    registry.sweep();
    expect(probes[0]?.state).toBe("rolled back");
    expect(() => registry.acquire(1)).toThrow("Unrecognized transaction id.");
  });

  it("never expires a transaction that a request works in, nor sooner than two seconds", () => {
    const { registry, clock, probes } = setUp(1);
    registry.begin(undefined);
    registry.begin(undefined).keep();
    clock.advance(1_999);
    registry.sweep();
    expect(registry.size).toBe(2);
    clock.advance(1_000_000);
    registry.sweep();
    expect(probes.map(({ state }) => state)).toEqual(["open", "rolled back"]);
  });

  it("interrupts the request that works in a transaction another one deletes", () => {
    const { registry, probes } = setUp();
    const lease = registry.begin(undefined);
    registry.rollback(1);
    expect(lease.signal.aborted).toBe(true);
    expect(probes[0]?.state).toBe("terminated");
    expect(() => registry.rollback(1)).toThrow("Unrecognized transaction id.");
  });

  it("rolls everything back when it closes", () => {
    const { registry, probes } = setUp();
    registry.begin(undefined).keep();
    registry.close();
    expect(probes[0]?.state).toBe("rolled back");
  });
});
