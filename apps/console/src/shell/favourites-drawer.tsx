import { type JSX } from "preact";
import { execute } from "../commands/execute.ts";
import { Button, IconButton } from "../design/button.tsx";
import { saveText } from "../export/save-file.ts";
import { useApplication } from "../state/application.ts";
import { favouriteName } from "../state/favourites.ts";

/** Kept statements, and what was run before. */
export function FavouritesDrawer(): JSX.Element {
  const application = useApplication();
  const { editor, favourites, history } = application;
  const edit = (text: string): void => {
    editor.text.value = text;
    editor.focus();
  };
  return (
    <div class="column drawer-sections">
      <section class="column">
        <p class="muted">The star beside the editor adds what is in it. A first line like “// name” names it.</p>
        <ul class="entry-list">
          {favourites.list.value.map((favourite) => (
            <li key={favourite.id} class="entry-row">
              <button type="button" class="entry-button" onClick={() => edit(favourite.text)}>
                {favouriteName(favourite)}
              </button>
              <IconButton
                icon="play"
                label={`Run ${favouriteName(favourite)}`}
                onClick={() => void execute(application, favourite.text)}
              />
              <IconButton
                icon="trash"
                label={`Remove ${favouriteName(favourite)}`}
                onClick={() => favourites.remove(favourite.id)}
              />
            </li>
          ))}
        </ul>
        <Button
          icon="download"
          isDisabled={favourites.list.value.length === 0}
          onClick={() =>
            saveText("favourites.cypher", favourites.list.value.map(({ text }) => `${text};\n`).join("\n"))
          }
        >
          Save all as a script
        </Button>
      </section>
      <section class="column">
        <h3>Run before</h3>
        <ul class="entry-list">
          {history.entries.value.slice(0, 30).map((text) => (
            <li key={text}>
              <button type="button" class="entry-button entry-code" onClick={() => edit(text)}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
