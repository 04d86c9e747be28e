/** The type of captions, in units of the picture, and its smallest size. */
export const CAPTION_SIZE = 10.5;
const SMALLEST_SIZE = 7.5;
export const LINE_HEIGHT = 12;

/** A caption laid out in a circle. */
export interface CaptionLayout {
  readonly lines: readonly string[];
  readonly captionSize: number;
}

/**
 * Lines of a caption that fit into a circle, centred: at most three, broken between words, the last one cut with an
 * ellipsis. Long words make the type smaller before they are cut.
 *
 * @param widthOf  of a text at `CAPTION_SIZE`
 */
export function captionLines(caption: string, radius: number, widthOf: (text: string) => number): CaptionLayout {
  const words = caption.trim().split(/\s+/).slice(0, 12);
  const longest = Math.max(1, ...words.slice(0, 3).map(widthOf));
  const room = chord(radius, 0, 1);
  const captionSize = CAPTION_SIZE * Math.min(1, Math.max(SMALLEST_SIZE / CAPTION_SIZE, room / longest));
  const measure = (text: string): number => (widthOf(text) * captionSize) / CAPTION_SIZE;
  const maximum = radius < 20 ? 1 : radius < 26 ? 2 : 3;
  for (let count = 1; count <= maximum; count += 1) {
    const lines = breakInto(words, count, radius, measure);
    if (lines !== undefined) {
      return { lines, captionSize };
    }
  }
  const cuts = Array.from({ length: maximum }, (_, index) => cutInto(words, index + 1, radius, measure));
  const lengthOf = (lines: readonly string[]): number => lines.join(" ").length;
  return { lines: cuts.reduce((best, each) => (lengthOf(each) >= lengthOf(best) ? each : best)), captionSize };
}

/** All words in `count` lines; undefined when they do not fit. */
function breakInto(
  words: readonly string[],
  count: number,
  radius: number,
  widthOf: (text: string) => number,
): readonly string[] | undefined {
  const lines = fill(words, count, radius, widthOf);
  return lines.rest.length === 0 ? lines.lines : undefined;
}

function cutInto(
  words: readonly string[],
  count: number,
  radius: number,
  widthOf: (text: string) => number,
): readonly string[] {
  const { lines, rest } = fill(words, count, radius, widthOf);
  const index = Math.max(0, lines.length - 1);
  const full = [...lines.slice(index), ...rest].join(" ");
  return [...lines.slice(0, index), cut(full, chord(radius, index, count), widthOf)];
}

function fill(
  words: readonly string[],
  count: number,
  radius: number,
  widthOf: (text: string) => number,
): { readonly lines: readonly string[]; readonly rest: readonly string[] } {
  const lines: string[] = [];
  let at = 0;
  for (let index = 0; index < count && at < words.length; index += 1) {
    const width = chord(radius, index, count);
    let line = words[at] ?? "";
    if (widthOf(line) > width) {
      break;
    }
    at += 1;
    while (at < words.length && widthOf(`${line} ${words[at]}`) <= width) {
      line += ` ${words[at]}`;
      at += 1;
    }
    lines.push(line);
  }
  return { lines, rest: words.slice(at) };
}

function cut(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) {
    return text;
  }
  let end = text.length - 1;
  while (end > 1 && widthOf(`${text.slice(0, end)}…`) > width) {
    end -= 1;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/** How wide the circle is at the outer edge of a line. */
function chord(radius: number, line: number, lines: number): number {
  const middle = (line - (lines - 1) / 2) * LINE_HEIGHT;
  const edge = Math.min(radius - 4, Math.abs(middle) + LINE_HEIGHT / 4);
  return 2 * Math.sqrt((radius - 2) ** 2 - edge ** 2);
}
