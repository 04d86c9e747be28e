import { type JSX } from "preact";
import { COMMIT_PATH, type StatementAnswer } from "../server/run-statement.ts";

const MAXIMUM_SHOWN = 200_000;

/** What went over the wire. */
export function RawView({ answer }: { readonly answer: StatementAnswer }): JSX.Element {
  const { requestText, responseText, durationMs } = answer;
  return (
    <div class="frame-pad column raw-view">
      <h3>Request</h3>
      <pre tabIndex={0} aria-label="Request">
        POST {COMMIT_PATH}
        {"\n\n"}
        {shown(requestText)}
      </pre>
      <h3>
        Answer{" "}
        <span class="muted count">
          {responseText.length} characters in {durationMs.toFixed(1)} ms
        </span>
      </h3>
      <pre tabIndex={0} aria-label="Answer">
        {shown(responseText)}
      </pre>
    </div>
  );
}

function shown(text: string): string {
  return text.length > MAXIMUM_SHOWN ? `${text.slice(0, MAXIMUM_SHOWN)} …` : text;
}
