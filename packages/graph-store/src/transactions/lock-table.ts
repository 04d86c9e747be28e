import { must } from "@trefoil/base";
import { StoreConflictError } from "../errors.ts";

/** One who locks: a transaction. */
export interface LockOwner {
  readonly id: number;
  /** How much would be lost by rolling it back: the least costly one in a deadlock is the victim. */
  readonly cost: number;
}

/** A shared lock goes together with other shared ones. */
export type LockMode = "exclusive" | "shared";

interface Waiter {
  readonly owner: LockOwner;
  readonly key: number;
  readonly mode: LockMode;
  readonly granted: () => void;
  readonly failed: (reason: Error) => void;
}

interface Lock {
  /** Of an exclusive lock. */
  owner: LockOwner | undefined;
  sharers: Set<LockOwner> | undefined;
  waiters: readonly Waiter[];
}

/** Of nearly all locks. */
const NOBODY: readonly Waiter[] = [];

/**
 * Locks on keys, kept until their owner lets all of them go; first come, first served. A wait that would close a circle
 * is a deadlock: the member that has written least is refused.
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

  /** Whether `owner` has the lock now; it is taken when it is free. Who shares it alone can have it for itself. */
  tryAcquire(owner: LockOwner, key: number, mode: LockMode = "exclusive"): boolean {
    const lock = this.#locks.get(key);
    if (lock === undefined) {
      const sharers = mode === "shared" ? new Set([owner]) : undefined;
      this.#locks.set(key, { owner: mode === "shared" ? undefined : owner, sharers, waiters: NOBODY });
      this.#heldBy(owner).add(key);
      return true;
    }
    if (lock.owner === owner || (mode === "shared" && lock.sharers?.has(owner) === true)) {
      return true;
    }
    // Who comes later does not overtake those who wait, unless it holds a share already.
    const isFree = lock.waiters.length === 0 || lock.sharers?.has(owner) === true;
    return isFree && this.#take(lock, owner, key, mode);
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
  async wait(owner: LockOwner, key: number, mode: LockMode = "exclusive"): Promise<void> {
    if (this.tryAcquire(owner, key, mode)) {
      return;
    }
    await new Promise<void>((granted, failed) => {
      const timer = this.#timer(owner);
      const waiter: Waiter = {
        owner,
        key,
        mode,
        granted: () => {
          clearTimeout(timer);
          granted();
        },
        failed: (reason) => {
          clearTimeout(timer);
          failed(reason);
        },
      };
      const lock = must(this.#locks.get(key), "what can't be taken is held");
      lock.waiters = [...lock.waiters, waiter];
      this.#waiting.set(owner, waiter);
      this.#breakDeadlock(owner);
    });
  }

  /** Ends the wait of `owner`, if it has one, with `reason`. */
  refuse(owner: LockOwner, reason: () => Error): void {
    const waiter = this.#waiting.get(owner);
    if (waiter !== undefined) {
      this.#waiting.delete(owner);
      const lock = must(this.#locks.get(waiter.key), "what is waited for is held");
      lock.waiters = lock.waiters.filter((each) => each !== waiter);
      waiter.failed(reason());
      // Those behind it may have waited for nobody else.
      this.#handOn(waiter.key);
    }
  }

  /** Lets go of everything; the first waiters of each lock become its owners. */
  releaseAll(owner: LockOwner): void {
    const held = this.#held.get(owner);
    if (held === undefined) {
      return;
    }
    this.#held.delete(owner);
    for (const key of held) {
      const lock = this.#locks.get(key);
      if (lock?.owner === owner) {
        lock.owner = undefined;
      }
      lock?.sharers?.delete(owner);
      this.#handOn(key);
    }
  }

  #take(lock: Lock, owner: LockOwner, key: number, mode: LockMode): boolean {
    if (!isCompatible(lock, owner, mode)) {
      return false;
    }
    if (mode === "shared") {
      lock.sharers ??= new Set();
      lock.sharers.add(owner);
    } else {
      lock.sharers = undefined;
      lock.owner = owner;
    }
    this.#heldBy(owner).add(key);
    return true;
  }

  #handOn(key: number): void {
    const lock = this.#locks.get(key);
    if (lock === undefined) {
      return;
    }
    for (let next = lock.waiters[0]; next !== undefined; next = lock.waiters[0]) {
      if (!this.#take(lock, next.owner, key, next.mode)) {
        return;
      }
      lock.waiters = lock.waiters.slice(1);
      this.#waiting.delete(next.owner);
      next.granted();
    }
    if (lock.owner === undefined && (lock.sharers?.size ?? 0) === 0) {
      this.#locks.delete(key);
    }
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
        () =>
          new StoreConflictError(
            "TransientError.Transaction.AcquireLockTimeout",
            `Could not get a lock within ${this.#timeoutMs} ms: another transaction holds it.`,
          ),
      );
    }, this.#timeoutMs);
  }

  /** One wait can close several circles: those who share a lock may each wait for the one who wants it alone. */
  #breakDeadlock(newest: LockOwner): void {
    for (let circle = this.#circleThrough(newest); circle !== undefined; circle = this.#circleThrough(newest)) {
      const victim = circle.reduce((least, one) => (one.cost < least.cost ? one : least));
      const others = circle.length - 1;
      this.refuse(
        victim,
        () =>
          new StoreConflictError(
            "TransientError.Transaction.DeadlockDetected",
            `Transaction ${victim.id} waits for a lock in a circle with ${others} other(s) and was chosen to give way.`,
          ),
      );
    }
  }

  /** A circle of waiting owners that `newest` closes, itself first. */
  #circleThrough(newest: LockOwner): readonly LockOwner[] | undefined {
    const seen = new Set<LockOwner>();
    const search = (path: readonly LockOwner[]): readonly LockOwner[] | undefined => {
      for (const blocker of this.#blockersOf(path.at(-1) as LockOwner)) {
        if (blocker === newest) {
          return path;
        }
        if (!seen.has(blocker)) {
          seen.add(blocker);
          const circle = search([...path, blocker]);
          if (circle !== undefined) {
            return circle;
          }
        }
      }
      return undefined;
    };
    return search([newest]);
  }

  /** Who must let go, or have its turn, before `owner` gets what it waits for. */
  #blockersOf(owner: LockOwner): readonly LockOwner[] {
    const waiter = this.#waiting.get(owner);
    const lock = waiter === undefined ? undefined : this.#locks.get(waiter.key);
    if (waiter === undefined || lock === undefined) {
      return [];
    }
    const holders = [...(lock.owner === undefined ? [] : [lock.owner]), ...(lock.sharers ?? [])];
    const before = lock.waiters.slice(0, lock.waiters.indexOf(waiter));
    return [
      ...holders.filter((holder) => holder !== owner && (waiter.mode === "exclusive" || holder === lock.owner)),
      ...before.filter(({ mode }) => mode === "exclusive" || waiter.mode === "exclusive").map((each) => each.owner),
    ];
  }
}

function isCompatible(lock: Lock, owner: LockOwner, mode: LockMode): boolean {
  if (lock.owner !== undefined && lock.owner !== owner) {
    return false;
  }
  const others = (lock.sharers?.size ?? 0) - (lock.sharers?.has(owner) === true ? 1 : 0);
  return mode === "shared" || others === 0;
}

export function nodeLock(node: number): number {
  return node * 2;
}

export function relationshipLock(relationship: number): number {
  return relationship * 2 + 1;
}

/** Shared by all who write data, had alone by who changes the schema. */
export const SCHEMA_LOCK = -1;

/** Of one key of a unique index. Different keys may share a lock, which costs a wait and nothing else. */
export function uniqueKeyLock(token: number, hash: number): number {
  return -2 - (token * 2 ** 32 + (hash >>> 0));
}
