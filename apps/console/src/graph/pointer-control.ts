import { findAt } from "./find-at.ts";
import { isNode, type PictureEntity, type PictureNode } from "./picture.ts";
import { type Stage } from "./stage.ts";
import { toPicture } from "./viewport.ts";

/** A pointer that moved less than this, in pixels, has clicked. */
const CLICK_PIXELS = 5;

export interface PointerActions {
  /** Whether the wheel zooms without a key: only where it could not scroll the page. */
  readonly wheelZooms: () => boolean;
  readonly onExpand: (node: PictureNode) => void;
}

interface Gesture {
  readonly pointers: Map<number, readonly [x: number, y: number]>;
  entity: PictureEntity | undefined;
  isMoved: boolean;
}

/**
 * Mouse and fingers on a stage: drag the ground to pan, a node to move and pin it, pinch or wheel (with Ctrl) to zoom,
 * click to select, double click to expand.
 *
 * @returns what takes the listeners away
 */
export function controlByPointer(canvas: HTMLCanvasElement, stage: Stage, actions: PointerActions): () => void {
  const gesture: Gesture = { pointers: new Map(), entity: undefined, isMoved: false };
  const place = (event: MouseEvent): readonly [number, number] => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const find = (event: MouseEvent): PictureEntity | undefined => findAt(stage.picture, stage.viewport, ...place(event));
  const listeners = new AbortController();
  const listen = <K extends keyof HTMLElementEventMap>(
    type: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ): void => canvas.addEventListener(type, handle, { signal: listeners.signal, passive });

  listen("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    gesture.pointers.set(event.pointerId, place(event));
    gesture.entity = gesture.pointers.size === 1 ? find(event) : undefined;
    gesture.isMoved = gesture.pointers.size > 1;
  });
  listen("pointermove", (event) => {
    const before = gesture.pointers.get(event.pointerId);
    const now = place(event);
    if (before === undefined) {
      if (event.pointerType === "mouse") {
        stage.hover(find(event));
      }
      return;
    }
    if (!gesture.isMoved && Math.hypot(now[0] - before[0], now[1] - before[1]) < CLICK_PIXELS) {
      return;
    }
    gesture.isMoved = true;
    const [other] = [...gesture.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    gesture.pointers.set(event.pointerId, now);
    if (other !== undefined) {
      pinch(stage, before, now, other);
    } else if (gesture.entity !== undefined && isNode(gesture.entity)) {
      stage.drag(gesture.entity, ...toPicture(stage.viewport, ...now));
    } else {
      stage.pan(now[0] - before[0], now[1] - before[1]);
    }
  });
  const release = (event: PointerEvent): void => {
    if (!gesture.pointers.delete(event.pointerId) || gesture.pointers.size > 0) {
      return;
    }
    const { entity, isMoved } = gesture;
    if (!isMoved) {
      stage.select(entity);
    } else if (entity !== undefined && isNode(entity)) {
      entity.isPinned = true;
      stage.drop(entity);
    }
    gesture.entity = undefined;
  };
  listen("pointerup", release);
  listen("pointercancel", release);
  listen("pointerleave", () => stage.hover(undefined));
  listen("dblclick", (event) => {
    const entity = find(event);
    if (entity !== undefined && isNode(entity)) {
      actions.onExpand(entity);
    }
  });
  listen(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey || actions.wheelZooms()) {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
        stage.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.004), ...place(event));
      }
    },
    false,
  );
  return () => listeners.abort();
}

type Place = readonly [x: number, y: number];

/** One finger moved while another rests: the picture stays under both. */
function pinch(stage: Stage, before: Place, now: Place, other: Place): void {
  const distance = (from: Place): number => Math.max(1, Math.hypot(from[0] - other[0], from[1] - other[1]));
  stage.zoom(distance(now) / distance(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  stage.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
}
