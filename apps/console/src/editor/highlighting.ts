import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { type Extension, type Range } from "@codemirror/state";
import { type Mode, tokenize } from "@trefoil/cypher";

/** Longer texts keep their colours up to here; laying out more would make typing wait. */
const MAXIMUM_LENGTH = 200_000;

/** Colours from the language's own tokens: the editor and the server read a statement alike. */
export function highlighting(mode: () => Mode): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = decorate(view.state.doc.toString(), mode());
      }

      update(update: ViewUpdate): void {
        if (update.docChanged) {
          this.decorations = decorate(update.state.doc.toString(), mode());
        }
      }
    },
    { decorations: ({ decorations }) => decorations },
  );
}

function decorate(text: string, mode: Mode): DecorationSet {
  const command = /^\s*:[\w-]*/.exec(text);
  if (command !== null) {
    return Decoration.set([markOf("command").range(0, command[0].length)]);
  }
  const ranges: Range<Decoration>[] = [];
  for (const { category, start, end } of tokenize(text.slice(0, MAXIMUM_LENGTH), { mode })) {
    if (category !== "name" && category !== "invalid") {
      ranges.push(markOf(category).range(start, end));
    }
  }
  return Decoration.set(ranges);
}

const made = new Map<string, Decoration>();

function markOf(category: string): Decoration {
  let mark = made.get(category);
  if (mark === undefined) {
    mark = Decoration.mark({ class: `tok-${category}` });
    made.set(category, mark);
  }
  return mark;
}
