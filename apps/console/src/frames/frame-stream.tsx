import { type JSX } from "preact";
import { useApplication } from "../state/application.ts";
import { FrameView } from "./frame-view.tsx";

/** What was run, newest first. */
export function FrameStream(): JSX.Element {
  const { frames } = useApplication();
  return (
    <section id="stream" class="stream" aria-label="Results" tabIndex={-1}>
      {frames.list.value.map((frame) => (
        <FrameView key={frame.id} frame={frame} />
      ))}
      {frames.list.value.length === 0 ? (
        <p class="stream-empty muted">
          Nothing here yet. Write a statement above, or try <code>:play start</code>.
        </p>
      ) : null}
    </section>
  );
}
