/** Lines of a caption that fit into a circle, centred: at most three, the last one cut with an ellipsis. */
export function captionLines(text: string, radius: number, widthOf: (text: string) => number): readonly string[] {
  const maximum = radius < 20 ? 1 : radius < 32 ? 2 : 3;
  const lines: string[] = [];
  let rest = text.trim().replaceAll(/\s+/g, " ");
  for (let line = 0; line < maximum && rest !== ""; line += 1) {
    const width = chord(radius - 3, line, maximum);
    const [taken, left] = takeLine(rest, width, widthOf, line === maximum - 1);
    lines.push(taken);
    rest = left;
  }
  return lines;
}

export const CAPTION_SIZE = 10.5;
export const LINE_HEIGHT = 12;

/** How wide the circle is at the outer edge of a line. */
function chord(radius: number, line: number, lines: number): number {
  const middle = (line - (lines - 1) / 2) * LINE_HEIGHT;
  const edge = Math.min(radius - 1, Math.abs(middle) + LINE_HEIGHT / 3);
  return 2 * Math.sqrt(radius ** 2 - edge ** 2);
}

function takeLine(
  text: string,
  width: number,
  widthOf: (text: string) => number,
  isLast: boolean,
): readonly [line: string, rest: string] {
  if (widthOf(text) <= width) {
    return [text, ""];
  }
  let end = text.length;
  while (end > 1 && widthOf(text.slice(0, end) + (isLast ? "…" : "")) > width) {
    end -= 1;
  }
  if (isLast) {
    return [`${text.slice(0, end).trimEnd()}…`, ""];
  }
  const blank = text.lastIndexOf(" ", end);
  const cut = blank > 0 ? blank : end;
  return [text.slice(0, cut).trimEnd(), text.slice(cut).trimStart()];
}
