import { isNode, type PictureNode } from "./picture.ts";
import { type Stage } from "./stage.ts";

const STEP_PIXELS = 60;

export interface KeyActions {
  readonly onExpand: (node: PictureNode) => void;
  readonly onHide: (node: PictureNode) => void;
}

/** The keyboard on a stage, as `:help graph` lists it. True when the key meant something. */
export function controlByKey(event: KeyboardEvent, stage: Stage, { onExpand, onHide }: KeyActions): boolean {
  const selected = stage.selected.value;
  const node = selected !== undefined && isNode(selected) ? selected : undefined;
  switch (event.key) {
    case "ArrowLeft":
      stage.pan(STEP_PIXELS, 0);
      return true;
    case "ArrowRight":
      stage.pan(-STEP_PIXELS, 0);
      return true;
    case "ArrowUp":
      stage.pan(0, STEP_PIXELS);
      return true;
    case "ArrowDown":
      stage.pan(0, -STEP_PIXELS);
      return true;
    case "+":
    case "=":
      stage.zoom(1.25);
      return true;
    case "-":
      stage.zoom(0.8);
      return true;
    case "0":
      stage.fit();
      return true;
    case "n":
      selectNext(stage, node, 1);
      return true;
    case "p":
      selectNext(stage, node, -1);
      return true;
    case "Enter":
    case "e":
      if (node !== undefined) {
        onExpand(node);
      }
      return node !== undefined;
    case "Delete":
    case "h":
      if (node !== undefined) {
        onHide(node);
      }
      return node !== undefined;
    case "Escape":
      stage.select(undefined);
      return selected !== undefined;
    default:
      return false;
  }
}

function selectNext(stage: Stage, node: PictureNode | undefined, step: number): void {
  const { nodes } = stage.picture;
  const index = node === undefined ? (step > 0 ? -1 : 0) : nodes.indexOf(node);
  const next = nodes[(index + step + nodes.length) % nodes.length];
  if (next !== undefined) {
    stage.show(next);
  }
}
