import { type PictureEntity } from "./picture.ts";
import { type Size, type Viewport } from "./viewport.ts";

/** What is drawn besides the entities themselves. */
export interface DrawingContext {
  readonly viewport: Viewport;
  readonly size: Size;
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
  readonly background: string;
  readonly text: string;
  readonly accent: string;
  readonly font: string;
  readonly selected: PictureEntity | undefined;
  readonly hovered: PictureEntity | undefined;
}

/** Circles smaller than this, in pixels, have their captions beside them, as far as there is room. */
export const CAPTIONED_RADIUS = 15;
