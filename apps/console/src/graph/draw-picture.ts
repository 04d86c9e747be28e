import { CAPTION_SIZE, LINE_HEIGHT } from "./caption-lines.ts";
import { CAPTIONED_RADIUS, type DrawingContext } from "./drawing-context.ts";
import { drawOuterCaptions } from "./draw-outer-captions.ts";
import { headCorners, linkGeometry } from "./link-geometry.ts";
import { type PictureEntity, type PictureLink, type PictureNode } from "./picture.ts";
import { type Size, toPicture, type Viewport } from "./viewport.ts";

/** More relationships than this in view are drawn as plain lines, many at a stroke. */
const DETAILED_LINKS = 1500;
const CAPTIONED_LINKS = 600;

/**
 * Draws a picture onto a canvas, with as much detail as can be seen at its scale: whoever looks at five thousand nodes
 * sees dots and lines, so nothing else is drawn.
 */
export function drawPicture(
  canvas: CanvasRenderingContext2D,
  nodes: readonly PictureNode[],
  links: readonly PictureLink[],
  context: DrawingContext,
): void {
  const { viewport, size, pixelRatio } = context;
  canvas.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  canvas.fillStyle = context.background;
  canvas.fillRect(0, 0, size.width, size.height);
  canvas.setTransform(
    pixelRatio * viewport.scale,
    0,
    0,
    pixelRatio * viewport.scale,
    pixelRatio * viewport.offsetX,
    pixelRatio * viewport.offsetY,
  );
  const isSeen = sight(viewport, size);
  const seenLinks = links.filter(
    ({ source, target }) =>
      isSeen(source.x, source.y) || isSeen(target.x, target.y) || crosses(source, target, viewport, size),
  );
  if (seenLinks.length > DETAILED_LINKS || viewport.scale < 0.3) {
    drawPlainLinks(canvas, seenLinks, context);
  } else {
    drawDetailedLinks(canvas, seenLinks, context);
  }
  drawNodes(
    canvas,
    nodes.filter(({ x, y }) => isSeen(x, y)),
    context,
  );
}

function sight(viewport: Viewport, { width, height }: Size): (x: number, y: number) => boolean {
  const margin = 60;
  const [left, top] = toPicture(viewport, 0, 0);
  const [right, bottom] = toPicture(viewport, width, height);
  return (x, y) => x > left - margin && x < right + margin && y > top - margin && y < bottom + margin;
}

/** Whether a line between two unseen nodes may pass through the view: its rectangle meets it. */
function crosses(a: PictureNode, b: PictureNode, viewport: Viewport, { width, height }: Size): boolean {
  const [left, top] = toPicture(viewport, 0, 0);
  const [right, bottom] = toPicture(viewport, width, height);
  return (
    Math.min(a.x, b.x) < right && Math.max(a.x, b.x) > left && Math.min(a.y, b.y) < bottom && Math.max(a.y, b.y) > top
  );
}

function drawPlainLinks(
  canvas: CanvasRenderingContext2D,
  links: readonly PictureLink[],
  context: DrawingContext,
): void {
  const groups = new Map<string, PictureLink[]>();
  const near: PictureLink[] = [];
  for (const link of links) {
    if (isNear(link, context.selected)) {
      near.push(link);
      continue;
    }
    const group = groups.get(link.color);
    if (group === undefined) {
      groups.set(link.color, [link]);
    } else {
      group.push(link);
    }
  }
  // A hair's width on the screen, whatever the scale; many lines over each other must stay to be seen through.
  canvas.lineWidth = 1 / context.viewport.scale;
  canvas.globalAlpha = links.length > 5000 ? 0.28 : 0.5;
  for (const [color, group] of groups) {
    strokeLines(canvas, group, color);
  }
  canvas.globalAlpha = 1;
  strokeLines(canvas, near, context.accent);
}

function strokeLines(canvas: CanvasRenderingContext2D, links: readonly PictureLink[], color: string): void {
  canvas.strokeStyle = color;
  canvas.beginPath();
  for (const { source, target } of links) {
    canvas.moveTo(source.x, source.y);
    canvas.lineTo(target.x, target.y);
  }
  canvas.stroke();
}

function drawDetailedLinks(
  canvas: CanvasRenderingContext2D,
  links: readonly PictureLink[],
  context: DrawingContext,
): void {
  const hasCaptions = links.length <= CAPTIONED_LINKS && context.viewport.scale > 0.7;
  canvas.font = `500 ${CAPTION_SIZE - 1.5}px ${context.font}`;
  canvas.textAlign = "center";
  canvas.textBaseline = "middle";
  canvas.lineJoin = "round";
  for (const link of links) {
    const geometry = linkGeometry(link);
    if (geometry.length < 2) {
      continue;
    }
    const isMarked = isNear(link, context.selected) || link === context.hovered;
    const color = isMarked ? context.accent : link.color;
    canvas.strokeStyle = color;
    canvas.fillStyle = color;
    canvas.lineWidth = isMarked ? link.width + 0.75 : link.width;
    canvas.beginPath();
    canvas.moveTo(geometry.startX, geometry.startY);
    const [first, second] = geometry.controls;
    const corners = headCorners(geometry, link.width);
    const [tip = [0, 0], left = [0, 0], right = [0, 0]] = corners;
    const [baseX, baseY] = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
    if (first !== undefined && second !== undefined) {
      canvas.bezierCurveTo(first[0], first[1], second[0], second[1], baseX, baseY);
    } else if (first !== undefined && link.bend !== 0) {
      canvas.quadraticCurveTo(first[0], first[1], baseX, baseY);
    } else {
      canvas.lineTo(baseX, baseY);
    }
    canvas.stroke();
    canvas.beginPath();
    canvas.moveTo(tip[0], tip[1]);
    canvas.lineTo(left[0], left[1]);
    canvas.lineTo(right[0], right[1]);
    canvas.closePath();
    canvas.fill();
    if (hasCaptions && canvas.measureText(link.caption).width < geometry.length - 4) {
      canvas.save();
      canvas.translate(geometry.captionX, geometry.captionY);
      canvas.rotate(geometry.captionAngle);
      canvas.lineWidth = 4;
      canvas.strokeStyle = context.background;
      canvas.strokeText(link.caption, 0, 0);
      canvas.fillStyle = isMarked ? context.accent : context.text;
      canvas.fillText(link.caption, 0, 0);
      canvas.restore();
    }
  }
}

function drawNodes(canvas: CanvasRenderingContext2D, nodes: readonly PictureNode[], context: DrawingContext): void {
  const { scale } = context.viewport;
  const groups = new Map<string, PictureNode[]>();
  for (const node of nodes) {
    const group = groups.get(node.color);
    if (group === undefined) {
      groups.set(node.color, [node]);
    } else {
      group.push(node);
    }
  }
  const isDetailed = nodes.length < 1200;
  for (const [color, group] of groups) {
    canvas.beginPath();
    for (const { x, y, radius } of group) {
      // Dots keep a size that can be seen.
      const drawn = Math.max(radius, 1.6 / scale);
      canvas.moveTo(x + drawn, y);
      canvas.arc(x, y, drawn, 0, 2 * Math.PI);
    }
    canvas.fillStyle = color;
    canvas.fill();
    if (isDetailed) {
      canvas.strokeStyle = "rgb(0 0 0 / 16%)";
      canvas.lineWidth = 1.5;
      canvas.stroke();
    }
  }
  drawMarks(canvas, nodes, context);
  if (isDetailed && nodes.some(({ radius }) => radius * scale > CAPTIONED_RADIUS)) {
    drawCaptions(
      canvas,
      nodes.filter(({ radius }) => radius * scale > CAPTIONED_RADIUS),
      context,
    );
  }
  drawOuterCaptions(canvas, nodes, context);
}

function drawCaptions(canvas: CanvasRenderingContext2D, nodes: readonly PictureNode[], { font }: DrawingContext): void {
  canvas.textAlign = "center";
  canvas.textBaseline = "middle";
  for (const { x, y, ink, lines, captionSize } of nodes) {
    canvas.font = `600 ${captionSize}px ${font}`;
    canvas.fillStyle = ink;
    for (const [index, line] of lines.entries()) {
      canvas.fillText(line, x, y + (index - (lines.length - 1) / 2) * LINE_HEIGHT + 0.5);
    }
  }
}

/** Rings around the selected node and the one under the pointer; a dot marks pinned ones. */
function drawMarks(canvas: CanvasRenderingContext2D, nodes: readonly PictureNode[], context: DrawingContext): void {
  const { scale } = context.viewport;
  for (const node of nodes) {
    const isSelected = node === context.selected;
    if (isSelected || node === context.hovered) {
      canvas.beginPath();
      canvas.arc(node.x, node.y, Math.max(node.radius, 2 / scale) + 4, 0, 2 * Math.PI);
      canvas.strokeStyle = context.accent;
      canvas.globalAlpha = isSelected ? 1 : 0.5;
      canvas.lineWidth = Math.max(3, 2 / scale);
      canvas.stroke();
      canvas.globalAlpha = 1;
    }
    if (node.isPinned && node.radius * scale > CAPTIONED_RADIUS) {
      canvas.beginPath();
      canvas.arc(node.x + node.radius * 0.72, node.y - node.radius * 0.72, 4, 0, 2 * Math.PI);
      canvas.fillStyle = context.text;
      canvas.fill();
    }
  }
}

/** Links of the selected node stand out, and the selected link itself. */
function isNear(link: PictureLink, selected: PictureEntity | undefined): boolean {
  return selected !== undefined && (link === selected || link.source === selected || link.target === selected);
}
