import { type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { execute } from "../commands/execute.ts";
import { IconButton } from "../design/button.tsx";
import { Icon } from "../design/icon.tsx";
import { useApplication } from "../state/application.ts";
import { createEditor } from "./create-editor.ts";

/** Where statements are written, and what can be done with them. */
export function EditorBar(): JSX.Element {
  const application = useApplication();
  const { editor, favourites, drawer, announcement } = application;
  const place = useRef<HTMLDivElement>(null);
  const run = (): void => {
    const text = editor.text.value;
    if (text.trim() !== "") {
      editor.text.value = "";
      void execute(application, text);
    }
  };
  useEffect(() => {
    if (place.current === null) {
      return undefined;
    }
    const remove = createEditor(place.current, application, { run });
    application.editor.focus();
    // For measurements: from here on statements can be written.
    performance.mark("usable");
    return remove;
    // The editor lives as long as the bar.
  }, [application]);
  const isEmpty = editor.text.value.trim() === "";
  return (
    <section class="editor-bar card" aria-label="Editor">
      <div class="editor-place" ref={place} />
      <div class="editor-actions">
        <IconButton
          icon="star"
          label="Keep as a favourite"
          isDisabled={isEmpty}
          onClick={() => {
            favourites.add(editor.text.value);
            announcement.value = "Kept among the favourites.";
            drawer.value = "favourites";
          }}
        />
        <IconButton
          icon="close"
          label="Empty the editor"
          isDisabled={isEmpty}
          onClick={() => {
            editor.text.value = "";
            editor.focus();
          }}
        />
        <button
          type="button"
          class="button button-primary run-button"
          title="Run (Ctrl+Enter)"
          disabled={isEmpty}
          onClick={run}
        >
          <Icon name="play" size={16} />
          Run
        </button>
      </div>
    </section>
  );
}
