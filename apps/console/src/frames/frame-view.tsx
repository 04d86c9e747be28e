import { type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { rerun } from "../commands/execute.ts";
import { IconButton } from "../design/button.tsx";
import { useApplication } from "../state/application.ts";
import { type Frame } from "../state/frame.ts";
import { FrameContentView } from "./frame-content-view.tsx";

/** One frame: what was typed, what can be done with it, and what came of it. */
export function FrameView({ frame }: { readonly frame: Frame }): JSX.Element {
  const application = useApplication();
  const { frames, editor } = application;
  const [isWide, setWide] = useState(false);
  const element = useRef<HTMLElement>(null);
  const isCollapsed = frame.isCollapsed.value;
  useEffect(() => {
    // Newest first: what was just run is above everything, so the stream goes there.
    element.current?.parentElement?.scrollTo({ top: 0 });
  }, []);
  return (
    <article
      ref={element}
      class={isWide ? "frame card frame-wide" : "frame card"}
      aria-label={frame.command}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isWide) {
          setWide(false);
        }
      }}
    >
      <h2 class="visually-hidden">{frame.command.slice(0, 80)}</h2>
      <header class="frame-head">
        <button
          type="button"
          class="frame-command"
          title="Back into the editor"
          onClick={() => {
            editor.text.value = frame.command;
            editor.focus();
          }}
        >
          <span class="frame-prompt" aria-hidden="true">
            ›
          </span>
          <span class="frame-text">{frame.command}</span>
        </button>
        <div class="frame-actions">
          <IconButton icon="refresh" label="Run again" onClick={() => void rerun(application, frame)} />
          <IconButton
            icon="pin"
            label={frame.isPinned.value ? "Unpin" : "Pin to the top"}
            isPressed={frame.isPinned.value}
            onClick={() => frames.togglePin(frame)}
          />
          <IconButton
            icon={isWide ? "shrink" : "expand"}
            label={isWide ? "Leave full screen" : "Full screen"}
            isPressed={isWide}
            onClick={() => setWide(!isWide)}
          />
          <IconButton
            icon={isCollapsed ? "down" : "up"}
            label={isCollapsed ? "Unfold" : "Fold"}
            isExpanded={!isCollapsed}
            onClick={() => {
              frame.isCollapsed.value = !isCollapsed;
            }}
          />
          <IconButton
            icon="close"
            label="Close frame"
            onClick={() => {
              frames.remove(frame);
              editor.focus();
            }}
          />
        </div>
      </header>
      {isCollapsed ? null : (
        <div class="frame-body">
          <FrameContentView frame={frame} isWide={isWide} />
        </div>
      )}
    </article>
  );
}
