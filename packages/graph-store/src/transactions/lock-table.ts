import { StoreConflictError } from "../errors.ts";

/** One who locks: a transaction. */
export interface LockOwner {
  readonly id: number;
  /** How much would be lost by rolling it back: the least costly one in a deadlock is the victim. */
  readonly cost: number;
}

interface Waiter {
  readonly owner: LockOwner;
  readonly key: number;
  readonly granted: () => void;
  readonly failed: (reason: Error) => void;
}

interface Lock {
  owner: LockOwner;
  readonly waiters: Waiter[];
}

/**
 * Exclusive locks on keys, kept until their owner lets all of them go; first come, first served. A wait that would
 * close a circle is a deadlock: the member that has written least is refused.
 */
export class LockTable {
  readonly #locks = new Map<number, Lock>();
  readonly #held = new Map<LockOwner, Set<number>>();
  readonly #waiting = new Map<LockOwner, Waiter>();
  readonly #timeoutMs: number;

  /** @param timeoutMs  how long a wait may take; 0 for as long as it takes */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether `owner` has the lock now; it is taken when it is free. */
  tryAcquire(owner: LockOwner, key: number): boolean {
    const lock = this.#locks.get(key);
    if (lock === undefined) {
      this.#locks.set(key, { owner, waiters: [] });
      this.#heldBy(owner).add(key);
      return true;
    }
    return lock.owner === owner;
  }

  holds(owner: LockOwner, key: number): boolean {
    return this.#held.get(owner)?.has(key) === true;
  }

  holdsAny(owner: LockOwner): boolean {
    return this.#held.has(owner);
  }

  /**
   * Waits for a lock that another owner has; the caller owns it when this resolves.
   *
   * @throws StoreConflictError  as the victim of a deadlock, or when the time is over
   */
  async wait(owner: LockOwner, key: number): Promise<void> {
    const lock = this.#locks.get(key);
    if (lock === undefined || lock.owner === owner) {
      this.tryAcquire(owner, key);
      return;
    }
    await new Promise<void>((granted, failed) => {
      const timer = this.#timer(owner);
      const waiter: Waiter = {
        owner,
        key,
        granted: () => {
          clearTimeout(timer);
          granted();
        },
        failed: (reason) => {
          clearTimeout(timer);
          failed(reason);
        },
      };
      lock.waiters.push(waiter);
      this.#waiting.set(owner, waiter);
      this.#breakDeadlock(owner);
    });
  }

  /** Ends the wait of `owner`, if it has one, with `reason`. */
  refuse(owner: LockOwner, reason: Error): void {
    const waiter = this.#waiting.get(owner);
    if (waiter !== undefined) {
      this.#waiting.delete(owner);
      const waiters = this.#locks.get(waiter.key)?.waiters ?? [];
      const place = waiters.indexOf(waiter);
      if (place >= 0) {
        waiters.splice(place, 1);
      }
      waiter.failed(reason);
    }
  }

  /** Lets go of everything; the first waiter of each lock becomes its owner. */
  releaseAll(owner: LockOwner): void {
    const held = this.#held.get(owner);
    this.#held.delete(owner);
    for (const key of held ?? []) {
      this.#handOn(key);
    }
  }

  #handOn(key: number): void {
    const lock = this.#locks.get(key);
    const next = lock?.waiters.shift();
    if (lock === undefined || next === undefined) {
      this.#locks.delete(key);
      return;
    }
    lock.owner = next.owner;
    this.#heldBy(next.owner).add(key);
    this.#waiting.delete(next.owner);
    next.granted();
  }

  #heldBy(owner: LockOwner): Set<number> {
    let held = this.#held.get(owner);
    if (held === undefined) {
      held = new Set();
      this.#held.set(owner, held);
    }
    return held;
  }

  #timer(owner: LockOwner): NodeJS.Timeout | undefined {
    if (this.#timeoutMs === 0) {
      return undefined;
    }
    return setTimeout(() => {
      this.refuse(
        owner,
        new StoreConflictError(
          "TransientError.Transaction.AcquireLockTimeout",
          `Could not get a lock within ${this.#timeoutMs} ms: another transaction holds it.`,
        ),
      );
    }, this.#timeoutMs);
  }

  /** Everyone waits for at most one lock and a lock has one owner: following both from the newest waiter finds the circle. */
  #breakDeadlock(newest: LockOwner): void {
    const circle: LockOwner[] = [newest];
    for (;;) {
      const waiter = this.#waiting.get(circle.at(-1) as LockOwner);
      const next = waiter === undefined ? undefined : this.#locks.get(waiter.key)?.owner;
      if (next === undefined) {
        return;
      }
      if (next === newest) {
        break;
      }
      circle.push(next);
    }
    const victim = circle.reduce((least, one) => (one.cost < least.cost ? one : least));
    this.refuse(
      victim,
      new StoreConflictError(
        "TransientError.Transaction.DeadlockDetected",
        `Transaction ${victim.id} waits for a lock in a circle with ${circle.length - 1} other(s) and was chosen to give way.`,
      ),
    );
  }
}

export function nodeLock(node: number): number {
  return node * 2;
}

export function relationshipLock(relationship: number): number {
  return relationship * 2 + 1;
}
