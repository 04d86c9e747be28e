import { CAPTIONED_RADIUS, type DrawingContext } from "./drawing-context.ts";
import { type PictureNode } from "./picture.ts";

const SIZE_PIXELS = 11;
const LINE_PIXELS = 15;
const LONGEST = 26;
/** Side of a field of the grid that finds overlaps, in pixels. */
const FIELD = 64;
/** Nodes asked for their captions, the most connected ones first. */
const MAXIMUM_ASKED = 400;
/** Dots smaller than this, in pixels, say nothing: there are too many of them. */
const SMALLEST_PIXELS = 2.2;

/** Beside nodes too small to write into: their captions at a size that can be read, where they cover nothing. */
export function drawOuterCaptions(
  canvas: CanvasRenderingContext2D,
  nodes: readonly PictureNode[],
  { viewport, size, pixelRatio, background, text, font }: DrawingContext,
): void {
  const { scale, offsetX, offsetY } = viewport;
  const small = nodes.filter(({ radius }) => radius * scale <= CAPTIONED_RADIUS && radius * scale >= SMALLEST_PIXELS);
  if (small.length === 0) {
    return;
  }
  const asked = small.toSorted((left, right) => right.degree - left.degree).slice(0, MAXIMUM_ASKED);
  const taken = new Map<string, Box[]>();
  for (const node of small) {
    const [x, y, half] = [node.x * scale + offsetX, node.y * scale + offsetY, node.radius * scale * 0.7];
    enter(taken, { left: x - half, right: x + half, top: y - half, bottom: y + half });
  }
  canvas.save();
  canvas.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  canvas.font = `550 ${SIZE_PIXELS}px ${font}`;
  canvas.textAlign = "center";
  canvas.textBaseline = "middle";
  canvas.lineJoin = "round";
  canvas.lineWidth = 3;
  canvas.strokeStyle = background;
  canvas.fillStyle = text;
  for (const node of asked) {
    const caption = node.caption.length > LONGEST ? `${node.caption.slice(0, LONGEST - 1)}…` : node.caption;
    const [x, y, radius] = [node.x * scale + offsetX, node.y * scale + offsetY, node.radius * scale];
    if (x < 0 || x > size.width || y < 0 || y > size.height) {
      continue;
    }
    const half = canvas.measureText(caption).width / 2 + 3;
    const place = placesAround(x, y, radius, half).find(([left, top]) =>
      take(taken, { left: left - half, right: left + half, top: top - LINE_PIXELS / 2, bottom: top + LINE_PIXELS / 2 }),
    );
    if (place !== undefined) {
      canvas.strokeText(caption, place[0], place[1]);
      canvas.fillText(caption, place[0], place[1]);
    }
  }
  canvas.restore();
}

/** Where the middle of a caption may be: below its node, above, to the right, to the left. */
function placesAround(x: number, y: number, radius: number, half: number): readonly (readonly [number, number])[] {
  const away = radius + LINE_PIXELS / 2 + 1;
  return [
    [x, y + away],
    [x, y - away],
    [x + radius + half, y],
    [x - radius - half, y],
  ];
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Takes the room of a box in the grid, unless something else has some of it. */
function take(taken: Map<string, Box[]>, box: Box): boolean {
  if (fieldsOf(box).some((field) => taken.get(field)?.some((other) => overlap(box, other)) === true)) {
    return false;
  }
  enter(taken, box);
  return true;
}

function enter(taken: Map<string, Box[]>, box: Box): void {
  for (const field of fieldsOf(box)) {
    const boxes = taken.get(field);
    if (boxes === undefined) {
      taken.set(field, [box]);
    } else {
      boxes.push(box);
    }
  }
}

function fieldsOf(box: Box): readonly string[] {
  const fields: string[] = [];
  for (let column = Math.floor(box.left / FIELD); column <= Math.floor(box.right / FIELD); column += 1) {
    for (let row = Math.floor(box.top / FIELD); row <= Math.floor(box.bottom / FIELD); row += 1) {
      fields.push(`${column} ${row}`);
    }
  }
  return fields;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
