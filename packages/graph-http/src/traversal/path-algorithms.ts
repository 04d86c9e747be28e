import { type Branch, startBranch } from "./branch.ts";
import { type Expander, type Step } from "./expander.ts";

export interface PathSearch {
  readonly start: number;
  readonly end: number;
  readonly maximumDepth: number;
  readonly expand: Expander;
}

/** A way found; `undefined` stands for a step of the search that found none. */
export type Found = { readonly branch: Branch; readonly weight?: number } | undefined;

/** Every way of the smallest length, each found once. */
export function* shortestPaths({ start, end, maximumDepth, expand }: PathSearch): Generator<Found, void, undefined> {
  let level: Branch[] = [startBranch(start)];
  if (start === end) {
    yield { branch: startBranch(start) };
    return;
  }
  const seen = new Set([start]);
  for (let depth = 0; depth < maximumDepth && level.length > 0 && !seen.has(end); depth++) {
    const next: Branch[] = [];
    const reached = new Set<number>();
    for (const branch of level) {
      for (const step of expand(branch.node)) {
        if (!seen.has(step.node)) {
          reached.add(step.node);
          next.push(extend(branch, step));
        }
      }
      yield undefined;
    }
    for (const node of reached) {
      seen.add(node);
    }
    level = next;
  }
  for (const branch of level) {
    yield branch.node === end ? { branch } : undefined;
  }
}

/** Every way up to the depth, shorter ones first: without a node twice (`isSimple`), or without a relationship twice. */
export function* allPaths(search: PathSearch, isSimple: boolean): Generator<Found, void, undefined> {
  // One length after the other, from the start each time: what is kept is a way and its neighbours, not all ways.
  let isFurther = true;
  for (let length = 0; isFurther && length <= search.maximumDepth; length++) {
    isFurther = false;
    const stack: Branch[] = [startBranch(search.start)];
    for (let branch = stack.pop(); branch !== undefined; branch = stack.pop()) {
      if (branch.depth === length) {
        isFurther = true;
        yield branch.node === search.end ? { branch } : undefined;
        continue;
      }
      yield undefined;
      for (const step of search.expand(branch.node).toReversed()) {
        if (isSimple ? !hasNode(branch, step.node) : !hasRelationship(branch, step.relationship)) {
          stack.push(extend(branch, step));
        }
      }
    }
  }
}

/** The cheapest ways, by the sum of their relationships' costs. */
export function* cheapestPaths(
  { start, end, expand }: Omit<PathSearch, "maximumDepth">,
  costOf: (relationship: number) => number,
): Generator<Found, void, undefined> {
  const best = new Map<number, number>([[start, 0]]);
  const heap = new CostHeap();
  heap.push(0, startBranch(start));
  for (let entry = heap.pop(); entry !== undefined; entry = heap.pop()) {
    const { cost, branch } = entry;
    if (cost > (best.get(end) ?? Number.POSITIVE_INFINITY)) {
      return;
    }
    if (branch.node === end) {
      yield { branch, weight: cost };
      continue;
    }
    yield undefined;
    for (const step of expand(branch.node)) {
      const total = cost + costOf(step.relationship);
      // Ways of equal cost are kept: all of the cheapest are asked for.
      if (total <= (best.get(step.node) ?? Number.POSITIVE_INFINITY) && !hasNode(branch, step.node)) {
        best.set(step.node, total);
        heap.push(total, extend(branch, step));
      }
    }
  }
}

function extend(parent: Branch, { node, relationship }: Step): Branch {
  return { parent, node, relationship, depth: parent.depth + 1 };
}

function hasNode(branch: Branch, node: number): boolean {
  for (let at: Branch | undefined = branch; at !== undefined; at = at.parent) {
    if (at.node === node) {
      return true;
    }
  }
  return false;
}

function hasRelationship(branch: Branch, relationship: number): boolean {
  for (let at: Branch | undefined = branch; at !== undefined; at = at.parent) {
    if (at.relationship === relationship) {
      return true;
    }
  }
  return false;
}

interface HeapEntry {
  readonly cost: number;
  readonly branch: Branch;
}

/** A binary heap with the cheapest on top. */
class CostHeap {
  readonly #entries: HeapEntry[] = [];

  push(cost: number, branch: Branch): void {
    const entries = this.#entries;
    let at = entries.length;
    entries.push({ cost, branch });
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) {
        return;
      }
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): HeapEntry | undefined {
    const entries = this.#entries;
    this.#swap(0, entries.length - 1);
    const top = entries.pop();
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const smaller = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(smaller, at)) {
        return top;
      }
      this.#swap(smaller, at);
      at = smaller;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const first = this.#entries[a];
    const second = this.#entries[b];
    return first !== undefined && second !== undefined && first.cost < second.cost;
  }

  #swap(a: number, b: number): void {
    const first = this.#entries[a];
    const second = this.#entries[b];
    if (first !== undefined && second !== undefined) {
      this.#entries[a] = second;
      this.#entries[b] = first;
    }
  }
}
