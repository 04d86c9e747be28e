import { type NodeValue, type RelationshipValue } from "../values/value.ts";

/** A node in the picture: where it is, in the picture's own units, and how it looks. */
export interface PictureNode {
  value: NodeValue;
  x: number;
  y: number;
  radius: number;
  color: string;
  ink: string;
  /** The whole caption. */
  caption: string;
  /** Lines of it that fit into the circle. */
  lines: readonly string[];
  /** Of those lines, in units. */
  captionSize: number;
  /** How many relationships of the picture it has. */
  degree: number;
  isPinned: boolean;
}

export interface PictureLink {
  value: RelationshipValue;
  readonly source: PictureNode;
  readonly target: PictureNode;
  /** How far it bows to the left on its way, in units: parallel ones must not cover each other. Of loops: their rank. */
  bend: number;
  color: string;
  width: number;
  caption: string;
}

export type PictureEntity = PictureNode | PictureLink;

export function isNode(entity: PictureEntity): entity is PictureNode {
  return entity.value.kind === "node";
}

/** How entities come to their looks. */
export interface PictureLooks {
  ofNode(value: NodeValue): Pick<PictureNode, "radius" | "color" | "ink" | "caption" | "lines" | "captionSize">;
  ofLink(value: RelationshipValue): Pick<PictureLink, "color" | "width" | "caption">;
}

const BEND_STEP = 34;
/** The angle of the golden ratio: each next node of a spiral falls where there is most room. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** What is drawn: nodes and relationships, each once; a relationship waits until both of its ends are there. */
export class Picture {
  readonly #looks: PictureLooks;
  readonly #nodes = new Map<string, PictureNode>();
  readonly #links = new Map<string, PictureLink>();
  #nodeList: readonly PictureNode[] = [];
  #linkList: readonly PictureLink[] = [];

  constructor(looks: PictureLooks) {
    this.#looks = looks;
  }

  /** In the order of their coming: positions of the layout count along it. */
  get nodes(): readonly PictureNode[] {
    return this.#nodeList;
  }

  get links(): readonly PictureLink[] {
    return this.#linkList;
  }

  findNode(id: string): PictureNode | undefined {
    return this.#nodes.get(id);
  }

  findLink(id: string): PictureLink | undefined {
    return this.#links.get(id);
  }

  linksOf(node: PictureNode): readonly PictureLink[] {
    return this.#linkList.filter(({ source, target }) => source === node || target === node);
  }

  /** Adds what is new, around `origin` if there is one; known entities take their newest values. */
  add(nodes: readonly NodeValue[], relationships: readonly RelationshipValue[], origin?: PictureNode): void {
    const known = this.#nodes.size;
    for (const value of nodes) {
      const node = this.#nodes.get(value.id);
      if (node === undefined) {
        const rank = this.#nodes.size - (origin === undefined ? 0 : known);
        const distance = (origin === undefined ? 0 : 60) + 28 * Math.sqrt(rank + 0.5);
        const angle = rank * GOLDEN_ANGLE;
        this.#nodes.set(value.id, {
          value,
          x: (origin?.x ?? 0) + distance * Math.cos(angle),
          y: (origin?.y ?? 0) + distance * Math.sin(angle),
          isPinned: false,
          degree: 0,
          ...this.#looks.ofNode(value),
        });
      } else {
        node.value = value;
      }
    }
    for (const value of relationships) {
      const source = this.#nodes.get(value.startId);
      const target = this.#nodes.get(value.endId);
      if (source !== undefined && target !== undefined && !this.#links.has(value.id)) {
        this.#links.set(value.id, { value, source, target, bend: 0, ...this.#looks.ofLink(value) });
      }
    }
    this.#list();
  }

  /** Takes a node and its relationships out of the picture; the graph keeps them. */
  hide(node: PictureNode): void {
    for (const link of this.linksOf(node)) {
      this.#links.delete(link.value.id);
    }
    this.#nodes.delete(node.value.id);
    this.#list();
  }

  /** Asks for all looks again, after a style was changed. */
  restyle(): void {
    for (const node of this.#nodeList) {
      Object.assign(node, this.#looks.ofNode(node.value));
    }
    for (const link of this.#linkList) {
      Object.assign(link, this.#looks.ofLink(link.value));
    }
  }

  #list(): void {
    this.#nodeList = [...this.#nodes.values()];
    this.#linkList = [...this.#links.values()];
    spread(this.#linkList);
    for (const node of this.#nodeList) {
      node.degree = 0;
    }
    for (const { source, target } of this.#linkList) {
      source.degree += 1;
      target.degree += 1;
    }
  }
}

/** Bends parallel relationships apart, whichever way they point. */
function spread(links: readonly PictureLink[]): void {
  const groups = new Map<string, PictureLink[]>();
  for (const link of links) {
    const [a, b] = [link.value.startId, link.value.endId];
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [link]);
    } else {
      group.push(link);
    }
  }
  for (const group of groups.values()) {
    for (const [index, link] of group.entries()) {
      const isLoop = link.source === link.target;
      const offset = (index - (group.length - 1) / 2) * BEND_STEP;
      link.bend = isLoop ? index : link.value.startId < link.value.endId ? offset : -offset;
    }
  }
}

/** The rectangle around all nodes; undefined when there are none. */
export function boundsOf(nodes: readonly PictureNode[]): Bounds | undefined {
  if (nodes.length === 0) {
    return undefined;
  }
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, radius } of nodes) {
    bounds.left = Math.min(bounds.left, x - radius);
    bounds.right = Math.max(bounds.right, x + radius);
    bounds.top = Math.min(bounds.top, y - radius);
    bounds.bottom = Math.max(bounds.bottom, y + radius);
  }
  return bounds;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
