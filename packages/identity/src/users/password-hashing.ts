import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { IdentityError } from "../protocol/identity-error.ts";

/** Cost of one argon2id hash. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly iterations: number;
}

/** Each has its own memory, so more than these only where somebody asks for it. (rulings, Identity 12) */
const MOST_BY_DEFAULT = 2;
/** A second or two of hashing; who comes later is told to try again. */
const WAITING_LIMIT = 100;

/** argon2id, few at once, so that a flood of sign-ins neither takes the memory nor holds up the signatures. */
export class PasswordHashing {
  readonly #cost: PasswordCost;
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** Hash of nothing anybody knows: verified when there is no user, so that the answer takes as long. */
  #decoy: Promise<string> | undefined;

  /** @param atOnce  by default one processor is left to signatures (decisions/0212) */
  constructor(cost: PasswordCost, atOnce: number = Math.max(1, Math.min(MOST_BY_DEFAULT, availableParallelism() - 1))) {
    this.#cost = cost;
    this.#atOnce = atOnce;
  }

  /** @throws IdentityError 90033 when too many are waiting */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, this.#options()));
  }

  /**
   * @param passwordHash  undefined when there is no user or no password: takes the same time and is never right
   * @throws IdentityError 90033 when too many are waiting
   */
  async verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    const decoy = await this.decoy();
    const isRight = await this.#inTurn(() => verify(passwordHash ?? decoy, password));
    return isRight && passwordHash !== undefined;
  }

  /** Made with the cost of real ones, once. */
  decoy(): Promise<string> {
    this.#decoy ??= hash(crypto.randomUUID(), this.#options());
    return this.#decoy;
  }

  #options(): { memoryCost: number; timeCost: number; parallelism: number } {
    // The library's default algorithm is argon2id.
    return { memoryCost: this.#cost.memoryKib, timeCost: this.#cost.iterations, parallelism: 1 };
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= WAITING_LIMIT) {
      throw new IdentityError(90033, {}, { detail: "too many passwords are waiting to be hashed" });
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** The place goes straight to the next in line, so nobody can slip in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#running -= 1;
    } else {
      next();
    }
  }
}
