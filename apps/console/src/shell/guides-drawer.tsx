import { type JSX } from "preact";
import { COMMANDS } from "../commands/command-table.ts";
import { execute } from "../commands/execute.ts";
import { GUIDES } from "../guides/guide-table.ts";
import { useApplication } from "../state/application.ts";

export function GuidesDrawer(): JSX.Element {
  const application = useApplication();
  const run = (command: string): void => void execute(application, command);
  return (
    <div class="column drawer-sections">
      <ul class="entry-list">
        {GUIDES.map(({ name, title, summary }) => (
          <li key={name}>
            <button type="button" class="entry-button guide-entry" onClick={() => run(`:play ${name}`)}>
              <strong>{title}</strong>
              <span class="muted">{summary}</span>
            </button>
          </li>
        ))}
      </ul>
      <section class="column">
        <h3>Help</h3>
        <div class="chips">
          {["commands", "keys", "cypher", "graph", "import"].map((topic) => (
            <button key={topic} type="button" class="chip" onClick={() => run(`:help ${topic}`)}>
              {topic}
            </button>
          ))}
        </div>
      </section>
      <section class="column">
        <h3>Commands</h3>
        <ul class="entry-list">
          {COMMANDS.map(({ name, summary, usage }) => (
            <li key={name}>
              <button
                type="button"
                class="entry-button guide-entry"
                onClick={() => {
                  application.editor.text.value = `:${name} `;
                  application.editor.focus();
                }}
              >
                <code>{usage[0]}</code>
                <span class="muted">{summary}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
