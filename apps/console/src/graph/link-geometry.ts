import { type PictureLink } from "./picture.ts";

/** A relationship's line from edge to edge of its nodes: a curve of Bézier, its head, and where its caption goes. */
export interface LinkGeometry {
  readonly startX: number;
  readonly startY: number;
  /** One control point, or two for a loop. */
  readonly controls: readonly (readonly [x: number, y: number])[];
  readonly endX: number;
  readonly endY: number;
  /** The direction in which it arrives, in radians. */
  readonly angle: number;
  readonly captionX: number;
  readonly captionY: number;
  /** Upright: between -π/2 and π/2. */
  readonly captionAngle: number;
  /** Room for a caption, in units. */
  readonly length: number;
}

const HEAD_LENGTH = 8;
const HEAD_WIDTH = 7;

export function linkGeometry(link: PictureLink): LinkGeometry {
  return link.source === link.target ? loopGeometry(link) : curveGeometry(link);
}

function curveGeometry({ source, target, bend, width }: PictureLink): LinkGeometry {
  const [dx, dy] = [target.x - source.x, target.y - source.y];
  const distance = Math.max(1e-6, Math.hypot(dx, dy));
  const [normalX, normalY] = [-dy / distance, dx / distance];
  const controlX = (source.x + target.x) / 2 + normalX * bend;
  const controlY = (source.y + target.y) / 2 + normalY * bend;
  const leaving = Math.atan2(controlY - source.y, controlX - source.x);
  const arriving = Math.atan2(target.y - controlY, target.x - controlX);
  const gap = target.radius + 2 + width;
  const endX = target.x - Math.cos(arriving) * gap;
  const endY = target.y - Math.sin(arriving) * gap;
  const startX = source.x + Math.cos(leaving) * (source.radius + 1);
  const startY = source.y + Math.sin(leaving) * (source.radius + 1);
  const along = Math.atan2(dy, dx);
  return {
    startX,
    startY,
    controls: [[controlX, controlY]],
    endX,
    endY,
    angle: arriving,
    captionX: (startX + endX) / 4 + controlX / 2,
    captionY: (startY + endY) / 4 + controlY / 2,
    captionAngle: Math.abs(along) > Math.PI / 2 ? along - Math.sign(along) * Math.PI : along,
    length: Math.hypot(endX - startX, endY - startY) - HEAD_LENGTH,
  };
}

function loopGeometry({ source, bend, width }: PictureLink): LinkGeometry {
  const reach = source.radius * 2.6 + bend * 18;
  const [leaving, arriving] = [-Math.PI / 2 - 0.45, -Math.PI / 2 + 0.45];
  const at = (angle: number, distance: number): readonly [number, number] => [
    source.x + Math.cos(angle) * distance,
    source.y + Math.sin(angle) * distance,
  ];
  const [startX, startY] = at(leaving, source.radius + 1);
  const [endX, endY] = at(arriving, source.radius + 2 + width);
  return {
    startX,
    startY,
    controls: [at(leaving - 0.25, reach), at(arriving + 0.25, reach)],
    endX,
    endY,
    angle: arriving + Math.PI + 0.1,
    captionX: source.x,
    captionY: source.y - source.radius - (reach - source.radius) * 0.62,
    captionAngle: 0,
    length: reach,
  };
}

/** The three corners of its head. */
export function headCorners(
  { endX, endY, angle }: LinkGeometry,
  width: number,
): readonly (readonly [number, number])[] {
  const length = HEAD_LENGTH + width;
  const half = (HEAD_WIDTH + width) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [baseX, baseY] = [endX - cos * length, endY - sin * length];
  return [
    [endX, endY],
    [baseX - sin * half, baseY + cos * half],
    [baseX + sin * half, baseY - cos * half],
  ];
}
