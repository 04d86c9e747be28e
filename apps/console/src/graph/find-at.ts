import { linkGeometry } from "./link-geometry.ts";
import { type Picture, type PictureEntity, type PictureLink } from "./picture.ts";
import { type Viewport, toPicture } from "./viewport.ts";

/** Relationships are thin: a pointer this near, in pixels, is on them. */
const NEAR_PIXELS = 6;

/** What is at a place of the screen: the topmost node, else a relationship close by. */
export function findAt(
  picture: Picture,
  viewport: Viewport,
  screenX: number,
  screenY: number,
): PictureEntity | undefined {
  const [x, y] = toPicture(viewport, screenX, screenY);
  const node = picture.nodes.findLast(
    (each) => (each.x - x) ** 2 + (each.y - y) ** 2 <= Math.max(each.radius, 4 / viewport.scale) ** 2,
  );
  if (node !== undefined) {
    return node;
  }
  const near = NEAR_PIXELS / viewport.scale;
  return picture.links.find((link) => isOn(link, x, y, near));
}

function isOn(link: PictureLink, x: number, y: number, near: number): boolean {
  const { source, target, bend } = link;
  const reach = near + Math.abs(bend) + (source === target ? source.radius * 3 + bend * 18 : 0);
  if (
    x < Math.min(source.x, target.x) - reach ||
    x > Math.max(source.x, target.x) + reach ||
    y < Math.min(source.y, target.y) - reach ||
    y > Math.max(source.y, target.y) + reach
  ) {
    return false;
  }
  const geometry = linkGeometry(link);
  const [first, second] = geometry.controls;
  let [fromX, fromY] = [geometry.startX, geometry.startY];
  const steps = source !== target && bend === 0 ? 1 : 12;
  for (let step = 1; step <= steps; step += 1) {
    const t = step / steps;
    const [toX, toY] =
      first === undefined || steps === 1
        ? [geometry.endX, geometry.endY]
        : second === undefined
          ? quadratic(geometry.startX, geometry.startY, first, geometry.endX, geometry.endY, t)
          : cubic(geometry.startX, geometry.startY, first, second, geometry.endX, geometry.endY, t);
    if (distanceToSegment(x, y, fromX, fromY, toX, toY) <= near) {
      return true;
    }
    [fromX, fromY] = [toX, toY];
  }
  return false;
}

type Point = readonly [x: number, y: number];

function quadratic(ax: number, ay: number, [bx, by]: Point, cx: number, cy: number, t: number): [number, number] {
  const u = 1 - t;
  return [u * u * ax + 2 * u * t * bx + t * t * cx, u * u * ay + 2 * u * t * by + t * t * cy];
}

function cubic(
  ax: number,
  ay: number,
  [bx, by]: Point,
  [cx, cy]: Point,
  dx: number,
  dy: number,
  t: number,
): [number, number] {
  const u = 1 - t;
  const [a, b, c, d] = [u ** 3, 3 * u * u * t, 3 * u * t * t, t ** 3];
  return [a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy];
}

function distanceToSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}
