import { signal, type Signal } from "@preact/signals";
import { drawPicture } from "./draw-picture.ts";
import { type DrawingContext } from "./drawing-context.ts";
import { Layout } from "./layout.ts";
import { boundsOf, type Picture, type PictureEntity, type PictureNode } from "./picture.ts";
import { pictureSvg } from "./picture-svg.ts";
import { centreOn, fit, panBy, type Size, type Viewport, zoomAt } from "./viewport.ts";

/** Pictures of more than this are not drawn anew while they are merely moved: their last drawing is moved instead. */
const HEAVY = 4000;
const SETTLE_MS = 90;
const PNG_SCALE = 2;
const MAXIMUM_PNG_SIDE = 8000;

/** A canvas that shows a picture through a viewport, and keeps both drawn. */
export class Stage {
  readonly picture: Picture;
  readonly selected: Signal<PictureEntity | undefined> = signal(undefined);
  readonly #canvas: HTMLCanvasElement;
  readonly #layout: Layout;
  readonly #observer: ResizeObserver;
  #context: CanvasRenderingContext2D;
  #viewport: Viewport = { scale: 1, offsetX: 0, offsetY: 0 };
  #size: Size = { width: 0, height: 0 };
  #hovered: PictureEntity | undefined;
  /** Until the user moves it, the view follows the picture. */
  #isFollowing = true;
  #isScheduled = false;
  #coveredPixels = 0;
  #still: Still | undefined;
  #settle: ReturnType<typeof setTimeout> | undefined;

  constructor(canvas: HTMLCanvasElement, picture: Picture) {
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) {
      throw new Error("This browser has no canvas to draw on");
    }
    this.#canvas = canvas;
    this.#context = context;
    this.picture = picture;
    this.#layout = new Layout(picture, (isAtRest) => this.#onMoved(isAtRest));
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
    this.#resize();
  }

  get viewport(): Viewport {
    return this.#viewport;
  }

  get size(): Size {
    return this.#size;
  }

  /** How much of its right side something lies over: what is shown on purpose goes into the rest. */
  set coveredPixels(pixels: number) {
    this.#coveredPixels = pixels;
  }

  /** After entities came or went: `energy` from 0 to 1 is how far everything may move. */
  relayout(energy: number): void {
    this.#layout.restart(energy, this.#size.height === 0 ? 1 : this.#size.width / this.#size.height);
    this.redraw();
  }

  redraw(): void {
    this.#still = undefined;
    this.#schedule();
  }

  select(entity: PictureEntity | undefined): void {
    this.selected.value = entity;
    this.redraw();
  }

  hover(entity: PictureEntity | undefined): void {
    if (this.#hovered !== entity) {
      this.#hovered = entity;
      this.#canvas.style.cursor = entity === undefined ? "" : "pointer";
      this.redraw();
    }
  }

  pan(dx: number, dy: number): void {
    this.#move(panBy(this.#viewport, dx, dy));
  }

  zoom(factor: number, x = this.#size.width / 2, y = this.#size.height / 2): void {
    this.#move(zoomAt(this.#viewport, factor, x, y));
  }

  fit(): void {
    this.#isFollowing = true;
    this.#viewport = fit(boundsOf(this.picture.nodes), this.#free);
    this.redraw();
  }

  show(node: PictureNode): void {
    const scale = Math.max(this.#viewport.scale, 0.9);
    this.#move(centreOn({ ...this.#viewport, scale }, node.x, node.y, this.#free));
    this.select(node);
  }

  drag(node: PictureNode, x: number, y: number): void {
    this.#isFollowing = false;
    this.#layout.drag(node, x, y);
  }

  drop(node: PictureNode): void {
    this.#layout.drop(node);
    this.redraw();
  }

  svg(): string {
    const { background, text } = this.#colors();
    return pictureSvg(this.picture, { background, text });
  }

  png(): Promise<Blob> {
    const bounds = boundsOf(this.picture.nodes) ?? { left: 0, top: 0, right: 1, bottom: 1 };
    const margin = 24;
    const [width, height] = [bounds.right - bounds.left + 2 * margin, bounds.bottom - bounds.top + 2 * margin];
    const scale = Math.min(PNG_SCALE, MAXIMUM_PNG_SIDE / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) {
      return Promise.reject(new Error("This browser has no canvas to draw on"));
    }
    const viewport = { scale, offsetX: (margin - bounds.left) * scale, offsetY: (margin - bounds.top) * scale };
    drawPicture(context, this.picture.nodes, this.picture.links, {
      ...this.#drawing(),
      viewport,
      size: { width: canvas.width, height: canvas.height },
      pixelRatio: 1,
      selected: undefined,
      hovered: undefined,
    });
    return new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error("The picture is too large")) : resolve(blob)),
        "image/png",
      );
    });
  }

  end(): void {
    clearTimeout(this.#settle);
    this.#observer.disconnect();
    this.#layout.end();
  }

  get #free(): Size {
    return { ...this.#size, width: Math.max(100, this.#size.width - this.#coveredPixels) };
  }

  #move(viewport: Viewport): void {
    this.#isFollowing = false;
    if (this.picture.nodes.length + this.picture.links.length > HEAVY) {
      this.#still ??= this.#takeStill();
      clearTimeout(this.#settle);
      this.#settle = setTimeout(() => this.redraw(), SETTLE_MS);
    }
    this.#viewport = viewport;
    this.#schedule();
  }

  #onMoved(isAtRest: boolean): void {
    if (this.#isFollowing) {
      const goal = fit(boundsOf(this.picture.nodes), this.#size);
      // Following at once would tremble; a part of the way each time glides.
      this.#viewport = isAtRest ? goal : between(this.#viewport, goal, 0.35);
    }
    this.redraw();
  }

  #resize(): void {
    const { width, height } = this.#canvas.getBoundingClientRect();
    if (width === 0 || height === 0) {
      return;
    }
    const isFirst = this.#size.width === 0;
    this.#size = { width, height };
    this.#canvas.width = Math.round(width * devicePixelRatio);
    this.#canvas.height = Math.round(height * devicePixelRatio);
    if (isFirst || this.#isFollowing) {
      this.#viewport = fit(boundsOf(this.picture.nodes), this.#size);
    }
    this.redraw();
  }

  #schedule(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      requestAnimationFrame(() => {
        this.#isScheduled = false;
        this.#draw();
      });
    }
  }

  #draw(): void {
    if (this.#still === undefined) {
      drawPicture(this.#context, this.picture.nodes, this.picture.links, this.#drawing());
      return;
    }
    const { image, viewport } = this.#still;
    const factor = this.#viewport.scale / viewport.scale;
    const ratio = devicePixelRatio;
    this.#context.setTransform(1, 0, 0, 1, 0, 0);
    this.#context.fillStyle = this.#colors().background;
    this.#context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.#context.drawImage(
      image,
      (this.#viewport.offsetX - viewport.offsetX * factor) * ratio,
      (this.#viewport.offsetY - viewport.offsetY * factor) * ratio,
      image.width * factor,
      image.height * factor,
    );
  }

  #takeStill(): Still {
    const image = document.createElement("canvas");
    image.width = this.#canvas.width;
    image.height = this.#canvas.height;
    image.getContext("2d", { alpha: false })?.drawImage(this.#canvas, 0, 0);
    return { image, viewport: this.#viewport };
  }

  #drawing(): DrawingContext {
    return {
      viewport: this.#viewport,
      size: this.#size,
      pixelRatio: devicePixelRatio,
      selected: this.selected.value,
      hovered: this.#hovered,
      ...this.#colors(),
    };
  }

  #colors(): Pick<DrawingContext, "background" | "text" | "accent" | "font"> {
    const style = getComputedStyle(this.#canvas);
    const read = (name: string): string => style.getPropertyValue(name).trim();
    return {
      background: read("--canvas"),
      text: read("--canvas-text"),
      accent: read("--accent"),
      font: read("--font"),
    };
  }
}

/** A drawing, and the view it was drawn in. */
interface Still {
  readonly image: HTMLCanvasElement;
  readonly viewport: Viewport;
}

function between(from: Viewport, to: Viewport, share: number): Viewport {
  const part = (a: number, b: number): number => a + (b - a) * share;
  return {
    scale: part(from.scale, to.scale),
    offsetX: part(from.offsetX, to.offsetX),
    offsetY: part(from.offsetY, to.offsetY),
  };
}
