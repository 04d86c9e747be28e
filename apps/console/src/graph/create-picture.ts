import { type StatementAnswer } from "../server/run-statement.ts";
import { CAPTION_SIZE, captionLines } from "./caption-lines.ts";
import { type GraphStyles } from "./graph-styles.ts";
import { inkOn } from "./palette.ts";
import { Picture } from "./picture.ts";

/** The picture of a result, its looks from the styles; at most `maxNodes` nodes of it. */
export function createPicture(answer: StatementAnswer, styles: GraphStyles, maxNodes: number): Picture {
  const widthOf = textMeasure();
  const picture = new Picture({
    ofNode: (value) => {
      const { color, size } = styles.ofLabel(value.labels[0]);
      const caption = styles.nodeCaption(value).slice(0, 120);
      return {
        color,
        radius: size,
        ink: inkOn(color),
        caption,
        ...captionLines(caption, size, widthOf),
      };
    },
    ofLink: (value) => {
      const { color, size } = styles.ofType(value.type);
      return { color, width: size, caption: styles.relationshipCaption(value).slice(0, 60) };
    },
  });
  styles.prepare(answer.nodes.flatMap(({ labels }) => labels));
  picture.add(answer.nodes.slice(0, maxNodes), answer.relationships);
  return picture;
}

/** Widths of texts in the captions' type; the same text is measured once. */
function textMeasure(): (text: string) => number {
  const context = document.createElement("canvas").getContext("2d");
  const font = getComputedStyle(document.documentElement).getPropertyValue("--font");
  const known = new Map<string, number>();
  if (context !== null) {
    context.font = `600 ${CAPTION_SIZE}px ${font}`;
  }
  return (text) => {
    let width = known.get(text);
    if (width === undefined) {
      width = context?.measureText(text).width ?? text.length * CAPTION_SIZE * 0.6;
      known.set(text, width);
    }
    return width;
  };
}
