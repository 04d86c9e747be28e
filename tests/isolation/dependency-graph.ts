/** Who must come before whom: a later version (ww), what was read (wr), what was read before it changed (rw), time (rt). */
export type EdgeKind = "ww" | "wr" | "rw" | "rt";

interface Edge {
  readonly to: number;
  readonly kind: EdgeKind;
}

/** Transactions and what orders them; finds circles, which no serial order explains. */
export class DependencyGraph {
  readonly #edges = new Map<number, Edge[]>();

  add(from: number, to: number, kind: EdgeKind): void {
    const edges = this.#edges.get(from);
    if (from === to) {
      return;
    }
    if (edges === undefined) {
      this.#edges.set(from, [{ to, kind }]);
    } else if (!edges.some((edge) => edge.to === to && edge.kind === kind)) {
      edges.push({ to, kind });
    }
  }

  /** A circle of edges of these kinds, as its transactions. */
  findCircle(kinds: readonly EdgeKind[]): readonly number[] | undefined {
    return findCircle(this.#edges.keys(), (node) => this.#targets(node, kinds));
  }

  /** A circle with exactly one rw edge, which begins where `isStart` says. */
  findCircleWithOneRw(isStart: (node: number) => boolean = () => true): readonly number[] | undefined {
    for (const [from, edges] of this.#edges) {
      for (const { to } of isStart(from) ? edges.filter(({ kind }) => kind === "rw") : []) {
        const back = this.#findPath(to, from);
        if (back !== undefined) {
          return [from, ...back];
        }
      }
    }
    return undefined;
  }

  /** A circle in which no two rw edges follow each other: two states for each transaction, by how it was reached. */
  findCircleWithoutAdjacentRw(): readonly number[] | undefined {
    const states = [...this.#edges.keys()].flatMap((node) => [node * 2, node * 2 + 1]);
    const circle = findCircle(states, (state) => {
      const [node, cameByRw] = [state >> 1, (state & 1) === 1];
      return (this.#edges.get(node) ?? [])
        .filter(({ kind }) => kind !== "rt" && !(cameByRw && kind === "rw"))
        .map(({ to, kind }) => to * 2 + (kind === "rw" ? 1 : 0));
    });
    return circle?.map((state) => state >> 1);
  }

  #targets(node: number, kinds: readonly EdgeKind[]): number[] {
    return (this.#edges.get(node) ?? []).filter(({ kind }) => kinds.includes(kind)).map(({ to }) => to);
  }

  #findPath(from: number, to: number): readonly number[] | undefined {
    const cameFrom = new Map<number, number>([[from, -1]]);
    const queue = [from];
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      if (node === to) {
        const path: number[] = [];
        for (let at = node; at !== -1; at = cameFrom.get(at) ?? -1) {
          path.unshift(at);
        }
        return path;
      }
      for (const next of this.#targets(node, ["ww", "wr"])) {
        if (!cameFrom.has(next)) {
          cameFrom.set(next, node);
          queue.push(next);
        }
      }
    }
    return undefined;
  }
}

/** Depth first, without recursion: histories have thousands of transactions. */
function findCircle(nodes: Iterable<number>, targets: (node: number) => readonly number[]): number[] | undefined {
  const done = new Set<number>();
  for (const start of nodes) {
    if (done.has(start)) {
      continue;
    }
    const path: { readonly node: number; readonly left: number[] }[] = [{ node: start, left: [...targets(start)] }];
    const onPath = new Set([start]);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        path.pop();
        onPath.delete(top.node);
        done.add(top.node);
      } else if (onPath.has(next)) {
        return path.slice(path.findIndex(({ node }) => node === next)).map(({ node }) => node);
      } else if (!done.has(next)) {
        path.push({ node: next, left: [...targets(next)] });
        onPath.add(next);
      }
    }
  }
  return undefined;
}
