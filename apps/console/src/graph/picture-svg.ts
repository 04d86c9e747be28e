import { CAPTION_SIZE, LINE_HEIGHT } from "./caption-lines.ts";
import { headCorners, linkGeometry } from "./link-geometry.ts";
import { boundsOf, type Picture, type PictureLink, type PictureNode } from "./picture.ts";

export interface SvgColors {
  readonly background: string;
  readonly text: string;
}

const MARGIN = 24;

/** The whole picture as an SVG document that needs nothing else. */
export function pictureSvg(picture: Picture, { background, text }: SvgColors): string {
  const { left, top, right, bottom } = boundsOf(picture.nodes) ?? { left: 0, top: 0, right: 0, bottom: 0 };
  const box = [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN].map(short);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(" ")}" width="${box[2]}" height="${box[3]}" font-family="Inter, system-ui, sans-serif" text-anchor="middle">`,
    `<rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}" fill="${background}"/>`,
    ...picture.links.map((link) => linkSvg(link, background, text)),
    ...picture.nodes.map(nodeSvg),
    "</svg>\n",
  ].join("\n");
}

function nodeSvg({ x, y, radius, color, ink, lines, captionSize, value }: PictureNode): string {
  const captions = lines.map(
    (line, index) =>
      `<text x="${short(x)}" y="${short(y + (index - (lines.length - 1) / 2) * LINE_HEIGHT)}" dominant-baseline="central" font-size="${short(captionSize)}" font-weight="600" fill="${ink}">${escape(line)}</text>`,
  );
  const title = escape(`${value.labels.map((label) => `:${label}`).join("")} ${value.id}`.trim());
  return `<g><title>${title}</title><circle cx="${short(x)}" cy="${short(y)}" r="${radius}" fill="${color}"/>${captions.join("")}</g>`;
}

function linkSvg(link: PictureLink, background: string, text: string): string {
  const geometry = linkGeometry(link);
  if (geometry.length < 2) {
    return "";
  }
  const corners = headCorners(geometry, link.width);
  const controls = geometry.controls.map(([x, y]) => `${short(x)},${short(y)}`).join(" ");
  const command = geometry.controls.length === 2 ? "C" : "Q";
  const path = `M${short(geometry.startX)},${short(geometry.startY)} ${command}${controls} ${short(geometry.endX)},${short(geometry.endY)}`;
  const head = corners.map(([x, y]) => `${short(x)},${short(y)}`).join(" ");
  const degrees = short((geometry.captionAngle * 180) / Math.PI);
  const [x, y] = [short(geometry.captionX), short(geometry.captionY)];
  return (
    `<g><path d="${path}" fill="none" stroke="${link.color}" stroke-width="${link.width}"/>` +
    `<polygon points="${head}" fill="${link.color}"/>` +
    `<text transform="translate(${x} ${y}) rotate(${degrees})" dominant-baseline="central" font-size="${CAPTION_SIZE - 1.5}" fill="${text}" stroke="${background}" stroke-width="4" paint-order="stroke">${escape(link.caption)}</text></g>`
  );
}

/** Two digits behind the point are finer than any screen. */
function short(number: number): string {
  return String(Math.round(number * 100) / 100);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
