import { type JSX } from "preact";
import { Icon } from "../design/icon.tsx";
import { type StatementError } from "../server/server-error.ts";

export interface ErrorsViewProps {
  readonly errors: readonly StatementError[];
  readonly statement: string;
}

/** What the server refused, and where in the statement. */
export function ErrorsView({ errors, statement }: ErrorsViewProps): JSX.Element {
  return (
    <div class="frame-pad column" role="alert">
      {errors.map(({ code, message, offset }) => (
        <section key={code + message} class="column">
          <div class="banner banner-danger">
            <Icon name="warning" />
            <div>
              <strong>{code}</strong>
              <pre class="error-message">{message}</pre>
            </div>
          </div>
          {offset === undefined ? null : <MarkedStatement statement={statement} offset={offset} />}
        </section>
      ))}
    </div>
  );
}

/** The statement with the word at fault marked. */
function MarkedStatement({ statement, offset }: { readonly statement: string; readonly offset: number }): JSX.Element {
  const word = /^\w+|^[\s\S]/.exec(statement.slice(offset))?.[0] ?? "";
  return (
    <pre class="marked-statement">
      {statement.slice(0, offset)}
      <mark>{word === "" ? " " : word}</mark>
      {statement.slice(offset + word.length)}
    </pre>
  );
}
