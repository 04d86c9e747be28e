import { type Bounds } from "./picture.ts";

const MINIMUM_SCALE = 0.02;
const MAXIMUM_SCALE = 4;

/** Which part of the picture is seen: screen = picture × scale + offset, in CSS pixels. */
export interface Viewport {
  readonly scale: number;
  readonly offsetX: number;
  readonly offsetY: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function toPicture({ scale, offsetX, offsetY }: Viewport, x: number, y: number): readonly [number, number] {
  return [(x - offsetX) / scale, (y - offsetY) / scale];
}

/** Zooms so that what is at a place of the screen stays there. */
export function zoomAt(viewport: Viewport, factor: number, x: number, y: number): Viewport {
  const scale = Math.min(MAXIMUM_SCALE, Math.max(MINIMUM_SCALE, viewport.scale * factor));
  const [pictureX, pictureY] = toPicture(viewport, x, y);
  return { scale, offsetX: x - pictureX * scale, offsetY: y - pictureY * scale };
}

export function panBy(viewport: Viewport, dx: number, dy: number): Viewport {
  return { ...viewport, offsetX: viewport.offsetX + dx, offsetY: viewport.offsetY + dy };
}

export function centreOn(viewport: Viewport, x: number, y: number, { width, height }: Size): Viewport {
  return { ...viewport, offsetX: width / 2 - x * viewport.scale, offsetY: height / 2 - y * viewport.scale };
}

const MARGIN = 28;
/** Above the picture there is room for the legend. */
const LEGEND = 76;

/** All of `bounds` in the middle; small pictures are not blown up. */
export function fit(bounds: Bounds | undefined, { width, height }: Size): Viewport {
  if (bounds === undefined || width === 0 || height === 0) {
    return { scale: 1, offsetX: width / 2, offsetY: height / 2 };
  }
  const top = Math.min(LEGEND, height / 5);
  const scale = Math.max(
    MINIMUM_SCALE,
    Math.min(
      1.25,
      (width - 2 * MARGIN) / Math.max(1, bounds.right - bounds.left),
      (height - MARGIN - top) / Math.max(1, bounds.bottom - bounds.top),
    ),
  );
  return {
    scale,
    offsetX: width / 2 - (scale * (bounds.left + bounds.right)) / 2,
    offsetY: (height + top - MARGIN) / 2 - (scale * (bounds.top + bounds.bottom)) / 2,
  };
}
