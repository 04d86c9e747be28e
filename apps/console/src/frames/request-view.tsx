import { type JSX } from "preact";

export interface RequestViewProps {
  readonly line: string;
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** A raw request's answer, whole. */
export function RequestView({ line, status, headers, body }: RequestViewProps): JSX.Element {
  return (
    <div class="frame-pad column raw-view">
      <p class="row">
        <strong class={status < 400 ? "status-good" : "status-bad"}>{status}</strong> <code>{line}</code>
      </p>
      <details>
        <summary>Headers</summary>
        <pre>{headers}</pre>
      </details>
      {body === "" ? (
        <p class="muted">The answer is empty.</p>
      ) : (
        <pre tabIndex={0} aria-label="Answer">
          {body}
        </pre>
      )}
    </div>
  );
}
