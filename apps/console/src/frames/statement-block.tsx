import { type JSX } from "preact";
import { execute } from "../commands/execute.ts";
import { IconButton } from "../design/button.tsx";
import { useApplication } from "../state/application.ts";
import { HighlightedText } from "./highlighted-text.tsx";

export interface StatementBlockProps {
  readonly statement: string;
  readonly note?: string | undefined;
}

/** A statement to try: into the editor, or run at once. */
export function StatementBlock({ statement, note }: StatementBlockProps): JSX.Element {
  const application = useApplication();
  return (
    <figure class="statement-block">
      {note === undefined ? null : <figcaption class="muted">{note}</figcaption>}
      <div class="statement-box">
        <button
          type="button"
          class="statement-text"
          title="Into the editor"
          onClick={() => {
            application.editor.text.value = statement;
            application.editor.focus();
          }}
        >
          <HighlightedText text={statement} />
        </button>
        <IconButton icon="play" label="Run this statement" onClick={() => void execute(application, statement)} />
      </div>
    </figure>
  );
}
