import { render } from "preact";
import { signal } from "@preact/signals";
import { EditorView, keymap } from "@codemirror/view";
import { EditorState } from "@codemirror/state";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { linter } from "@codemirror/lint";
import { bracketMatching } from "@codemirror/language";
import { tokenize, findSyntaxErrors, expectedAt, splitStatements } from "@trefoil/cypher";
import Papa from "papaparse";
const x = signal(1);
console.log(tokenize, findSyntaxErrors, expectedAt, splitStatements, Papa.parse);
new EditorView({
  state: EditorState.create({
    extensions: [
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      autocompletion(),
      closeBrackets(),
      linter(() => []),
      bracketMatching(),
    ],
  }),
});
render(<p>{x}</p>, document.body);
