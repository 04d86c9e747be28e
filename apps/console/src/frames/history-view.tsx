import { type JSX } from "preact";
import { useApplication } from "../state/application.ts";

export function HistoryView(): JSX.Element {
  const { editor, history } = useApplication();
  const entries = history.entries.value;
  return (
    <div class="frame-pad column">
      {entries.length === 0 ? <p class="muted">Nothing was run yet.</p> : null}
      <ol class="entry-list">
        {entries.map((text) => (
          <li key={text}>
            <button
              type="button"
              class="entry-button entry-code"
              onClick={() => {
                editor.text.value = text;
                editor.focus();
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
