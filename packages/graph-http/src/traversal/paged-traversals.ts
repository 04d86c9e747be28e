import { type Clock } from "@trefoil/base";
import { randomBytes } from "node:crypto";
import { type RestCall } from "../rest/rest-call.ts";
import { type Branch } from "./branch.ts";
import { type OpenTraversal } from "./open-traversal.ts";

/** A traversal of which a client takes a page at a time. */
export interface PagedTraversal {
  readonly id: string;
  /** The next places, at most as many as a page has; empty when there are no more. Renews the lease. */
  nextPage(call: RestCall): Promise<readonly Branch[]>;
}

/** As many as may wait at once; the one that was used longest ago gives way to another. */
const MAXIMUM_WAITING = 1_000;

/**
 * The traversals that wait for their next page, by id. Each lives for its lease after the last page (graph-http §7).
 * Ids cannot be guessed: who has one may go on with it.
 */
export class PagedTraversals {
  readonly #clock: Clock;
  /** In the order of use, the oldest first. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(traversal: OpenTraversal, pageSize: number, leaseMs: number): PagedTraversal {
    const id = randomBytes(16).toString("hex");
    this.#dropExpired();
    const [oldest] = this.#waiting.size >= MAXIMUM_WAITING ? this.#waiting.keys() : [];
    if (oldest !== undefined) {
      this.end(oldest);
    }
    this.#waiting.set(id, { traversal, pageSize, leaseMs, expiresAtMs: this.#clock.now() + leaseMs });
    return this.#handle(id);
  }

  find(id: string): PagedTraversal | undefined {
    this.#dropExpired();
    return this.#waiting.has(id) ? this.#handle(id) : undefined;
  }

  /** Whether there was one to end. */
  end(id: string): boolean {
    const waiting = this.#waiting.get(id);
    waiting?.traversal.close();
    return this.#waiting.delete(id);
  }

  #handle(id: string): PagedTraversal {
    return {
      id,
      nextPage: async (call) => {
        const waiting = this.#waiting.get(id);
        if (waiting === undefined) {
          return [];
        }
        // Taken out while it works: a second request for the same page finds nothing.
        this.#waiting.delete(id);
        let page: readonly Branch[] = [];
        try {
          page = await waiting.traversal.take(waiting.pageSize, call);
          return page;
        } finally {
          if (page.length === 0) {
            waiting.traversal.close();
          } else {
            this.#waiting.set(id, { ...waiting, expiresAtMs: this.#clock.now() + waiting.leaseMs });
          }
        }
      },
    };
  }

  #dropExpired(): void {
    const nowMs = this.#clock.now();
    for (const [id, { expiresAtMs }] of this.#waiting) {
      if (expiresAtMs <= nowMs) {
        this.end(id);
      }
    }
  }
}

interface Waiting {
  readonly traversal: OpenTraversal;
  readonly pageSize: number;
  readonly leaseMs: number;
  readonly expiresAtMs: number;
}
