import { type LayoutAnswer, type LayoutRequest } from "./layout-messages.ts";
import { type Picture, type PictureLink, type PictureNode } from "./picture.ts";

/** The layout of one picture: its positions follow the forces that a worker computes. */
export class Layout {
  readonly #picture: Picture;
  readonly #worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  readonly #onMoved: (isAtRest: boolean) => void;
  #generation = 0;
  #dragged: PictureNode | undefined;

  constructor(picture: Picture, onMoved: (isAtRest: boolean) => void) {
    this.#picture = picture;
    this.#onMoved = onMoved;
    this.#worker.addEventListener("message", ({ data }: MessageEvent<LayoutAnswer>) => this.#take(data));
  }

  /** Begins anew from where everything is, after the picture has changed. `aspect`: width of the view by its height. */
  restart(energy: number, aspect: number): void {
    const { nodes, links } = this.#picture;
    const places = new Map(nodes.map((node, index) => [node, index]));
    this.#generation += 1;
    this.#send({
      kind: "set",
      positions: Float32Array.from(nodes.flatMap(({ x, y }) => [x, y])),
      radii: Float32Array.from(nodes, ({ radius }) => radius),
      pinned: Uint8Array.from(nodes, ({ isPinned }) => Number(isPinned)),
      links: Uint32Array.from(pairsOf(links, places)),
      aspect,
      energy,
      isStill: matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
  }

  /** Takes a node along with the pointer; the others make room. */
  drag(node: PictureNode, x: number, y: number): void {
    this.#dragged = node;
    node.x = x;
    node.y = y;
    this.#send({ kind: "drag", node: this.#picture.nodes.indexOf(node), x, y });
    this.#onMoved(false);
  }

  drop(node: PictureNode): void {
    this.#dragged = undefined;
    this.#send({ kind: "drop", node: this.#picture.nodes.indexOf(node), isPinned: node.isPinned });
  }

  end(): void {
    this.#worker.terminate();
  }

  #take({ generation, positions, isAtRest }: LayoutAnswer): void {
    if (generation !== this.#generation) {
      return;
    }
    for (const [index, node] of this.#picture.nodes.entries()) {
      if (node !== this.#dragged) {
        node.x = positions[2 * index] ?? node.x;
        node.y = positions[2 * index + 1] ?? node.y;
      }
    }
    this.#onMoved(isAtRest);
  }

  #send(request: LayoutRequest): void {
    this.#worker.postMessage(request);
  }
}

/** Which nodes hang together, each pair once: three relationships between two nodes pull no harder than one. */
function pairsOf(links: readonly PictureLink[], places: ReadonlyMap<PictureNode, number>): readonly number[] {
  const seen = new Set<string>();
  const pairs: number[] = [];
  for (const { source, target } of links) {
    const [a, b] = [places.get(source) ?? 0, places.get(target) ?? 0];
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    if (a !== b && !seen.has(key)) {
      seen.add(key);
      pairs.push(a, b);
    }
  }
  return pairs;
}
