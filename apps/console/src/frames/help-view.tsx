import { type JSX } from "preact";
import { execute } from "../commands/execute.ts";
import { COMMANDS } from "../commands/command-table.ts";
import { findHelp, HELP_TOPICS } from "../guides/help-topics.ts";
import { useApplication } from "../state/application.ts";
import { RichText } from "./rich-text.tsx";
import { StatementBlock } from "./statement-block.tsx";

/** Help on one topic; without one, the list of them. */
export function HelpView({ topic }: { readonly topic: string }): JSX.Element {
  const found = findHelp(topic);
  if (topic === "commands") {
    return <CommandHelp />;
  }
  if (found === undefined) {
    return <HelpOverview missing={topic} />;
  }
  return (
    <div class="guide">
      <h2>{found.title}</h2>
      {found.parts.map((part, index) =>
        part.kind === "statement" ? (
          <StatementBlock key={index} statement={part.statement} note={part.note} />
        ) : part.kind === "text" ? (
          <p key={index}>
            <RichText text={part.text} />
          </p>
        ) : null,
      )}
    </div>
  );
}

function HelpOverview({ missing }: { readonly missing: string }): JSX.Element {
  const application = useApplication();
  return (
    <div class="guide">
      <h2>{missing === "" ? "Help" : `There is no help on “${missing}”`}</h2>
      <p>
        <RichText text="Write a statement and press `Enter`; with several lines `Ctrl+Enter`. A word after a colon is a command of the console: `:play start`, `:schema`, `:clear`." />
      </p>
      <div class="chips">
        <button type="button" class="chip" onClick={() => void execute(application, ":help commands")}>
          commands
        </button>
        {HELP_TOPICS.map(({ name }) => (
          <button key={name} type="button" class="chip" onClick={() => void execute(application, `:help ${name}`)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function CommandHelp(): JSX.Element {
  return (
    <div class="frame-pad">
      <table class="data-table">
        <caption class="visually-hidden">Commands</caption>
        <thead>
          <tr>
            <th scope="col">Command</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {COMMANDS.map(({ name, usage, summary }) => (
            <tr key={name}>
              <td>
                {usage.map((line) => (
                  <div key={line}>
                    <code>{line}</code>
                  </div>
                ))}
              </td>
              <td>
                <RichText text={summary} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
