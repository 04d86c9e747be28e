import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, insertNewlineAndIndent } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { effect } from "@preact/signals";
import { type Application } from "../state/application.ts";
import { completionSource } from "./completion.ts";
import { findProblems } from "./diagnostics.ts";
import { EDITOR_THEME } from "./editor-theme.ts";
import { highlighting } from "./highlighting.ts";

/** What the editor does besides editing. */
export interface EditorActions {
  readonly run: () => void;
}

/**
 * The editor in `parent`, in step with the application's text both ways.
 *
 * @returns what takes it away again
 */
export function createEditor(parent: HTMLElement, application: Application, { run }: EditorActions): () => void {
  const { editor } = application;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: editor.text.value,
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        EDITOR_THEME,
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": "Statement or command",
          "aria-multiline": "true",
          autocapitalize: "off",
          spellcheck: "false",
        }),
        placeholder("MATCH (n) RETURN n LIMIT 25   ·   :help"),
        highlighting(() => application.session.settings.value.mode),
        autocompletion({ override: [completionSource(application)], icons: false, maxRenderedOptions: 60 }),
        linter((each) => findProblems(application, each.state.doc.toString()), { delay: 400 }),
        Prec.high(keymap.of(editorKeys(application, run))),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            editor.text.value = update.state.doc.toString();
          }
        }),
      ],
    }),
  });
  const stop = effect(() => {
    const text = editor.text.value;
    if (text !== view.state.doc.toString()) {
      replaceText(view, text);
    }
  });
  editor.focus = () => view.focus();
  return () => {
    stop();
    editor.focus = () => undefined;
    view.destroy();
  };
}

function editorKeys(application: Application, run: () => void): Parameters<typeof keymap.of>[0] {
  const isOneLine = (view: EditorView): boolean => view.state.doc.lines === 1;
  const recall = (find: (view: EditorView) => string | undefined, always: boolean) => {
    return (view: EditorView): boolean => {
      if (!always && !isOneLine(view)) {
        return false;
      }
      const text = find(view);
      if (text === undefined) {
        return always;
      }
      replaceText(view, text);
      return true;
    };
  };
  const older = (view: EditorView): string | undefined => application.history.findOlder(view.state.doc.toString());
  const newer = (): string | undefined => application.history.findNewer();
  const runNow = (): boolean => {
    run();
    return true;
  };
  return [
    { key: "Mod-Enter", run: runNow },
    { key: "Enter", run: (view) => isOneLine(view) && runNow() },
    { key: "Shift-Enter", run: insertNewlineAndIndent },
    { key: "Mod-ArrowUp", run: recall(older, true) },
    { key: "Mod-ArrowDown", run: recall(newer, true) },
    { key: "ArrowUp", run: recall(older, false) },
    { key: "ArrowDown", run: recall(newer, false) },
  ];
}

function replaceText(view: EditorView, text: string): void {
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    selection: { anchor: text.length },
    scrollIntoView: true,
  });
}

/** The server puts one into each page it serves; without it the editor's styles would be refused. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.content ?? "";
}
