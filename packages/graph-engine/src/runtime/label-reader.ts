import { type ReadView } from "@trefoil/graph-store";

/** Asks many nodes for one label, in a statement that does not write. */
export function newLabelReader(view: ReadView, label: number): LabelReader {
  return new LabelReader(view, label);
}

/** Over a clean view a bit of the label's bitmap is the answer. */
export class LabelReader {
  readonly #view: ReadView;
  readonly #label: number;
  readonly #bits: Uint32Array | undefined;
  readonly #nodes: number;

  constructor(view: ReadView, label: number) {
    this.#view = view;
    this.#label = label;
    this.#bits = view.clean ? (view.base.nodes.labelBitmap(label) ?? new Uint32Array()) : undefined;
    this.#nodes = (this.#bits?.length ?? 0) * 32;
  }

  has(node: number): boolean {
    const bits = this.#bits;
    if (bits === undefined) {
      return this.#view.hasLabel(node, this.#label);
    }
    return node < this.#nodes && (((bits[node >>> 5] as number) >>> (node & 31)) & 1) === 1;
  }
}
