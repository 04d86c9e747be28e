import { type JSX } from "preact";
import { Button } from "../design/button.tsx";
import { TrefoilMark } from "../design/icon.tsx";
import { useApplication } from "../state/application.ts";

export function Waiting(): JSX.Element {
  return (
    <main class="entry" aria-busy="true">
      <div class="spinner" role="status" aria-label="Loading" />
    </main>
  );
}

export function UnreachableScreen(): JSX.Element {
  const { session } = useApplication();
  return (
    <main class="entry">
      <section class="card entry-card">
        <TrefoilMark size={44} />
        <h1>The server does not answer</h1>
        <p class="muted">It may be starting, or it was stopped.</p>
        <Button kind="primary" icon="refresh" onClick={() => void session.start()}>
          Try again
        </Button>
      </section>
    </main>
  );
}
