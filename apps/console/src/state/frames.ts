import { signal, type ReadonlySignal } from "@preact/signals";
import { type Frame, type FrameContent } from "./frame.ts";

/** The stream of frames, newest first; pinned ones stay above the others. */
export class Frames {
  readonly #list = signal<readonly Frame[]>([]);
  readonly #maximum: () => number;
  #lastId = 0;

  constructor(maximum: () => number) {
    this.#maximum = maximum;
  }

  get list(): ReadonlySignal<readonly Frame[]> {
    return this.#list;
  }

  add(command: string, content: FrameContent): Frame {
    this.#lastId += 1;
    const frame: Frame = {
      id: this.#lastId,
      command,
      content: signal(content),
      isPinned: signal(false),
      isCollapsed: signal(false),
    };
    const others = this.#list.value;
    const room = Math.max(1, this.#maximum()) - 1;
    const unpinned = others.filter((each) => !each.isPinned.value);
    const dropped = new Set(unpinned.slice(Math.max(0, room)));
    dropped.forEach(stop);
    this.#list.value = inOrder([frame, ...others.filter((each) => !dropped.has(each))]);
    return frame;
  }

  remove(frame: Frame): void {
    stop(frame);
    this.#list.value = this.#list.value.filter((each) => each !== frame);
  }

  clear(): void {
    this.#list.value.forEach(stop);
    this.#list.value = [];
  }

  togglePin(frame: Frame): void {
    frame.isPinned.value = !frame.isPinned.value;
    this.#list.value = inOrder(this.#list.value);
  }
}

function inOrder(frames: readonly Frame[]): readonly Frame[] {
  return frames.toSorted(
    (left, right) => Number(right.isPinned.value) - Number(left.isPinned.value) || right.id - left.id,
  );
}

/** A frame that goes takes its statement along. */
function stop(frame: Frame): void {
  const content = frame.content.value;
  if (content.kind === "running") {
    content.cancel();
  }
}
