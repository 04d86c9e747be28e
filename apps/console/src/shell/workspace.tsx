import { type JSX } from "preact";
import { useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import "../frames/frames.css";
import "./workspace.css";
import { EditorBar } from "../editor/editor-bar.tsx";
import { START_GUIDE } from "../guides/start-guide.ts";
import { FrameStream } from "../frames/frame-stream.tsx";
import { useApplication } from "../state/application.ts";
import { Drawer } from "./drawer.tsx";
import { useFileDrop } from "./file-drop.ts";
import { Heartbeat } from "./heartbeat.tsx";
import { Rail } from "./rail.tsx";

/** The console itself: rail, drawer, editor, and the stream of what was run. */
export function Workspace(): JSX.Element {
  const application = useApplication();
  const { announcement, catalogue, frames, styles } = application;
  const isDropping = useFileDrop(application);
  useSignalEffect(() => styles.prepare(catalogue.current.value.labels.map(({ name }) => name)));
  useEffect(() => {
    // The typeface is as large as the rest of a screen: it comes when everything can be used.
    void import("../design/typeface.css");
    void catalogue.refresh();
    if (frames.list.value.length === 0) {
      frames.add(":play start", { kind: "guide", guide: START_GUIDE });
    }
  }, [application, catalogue, frames]);
  useEffect(() => {
    const focusEditor = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea, .cm-content");
      if (event.key === "/" && isTyping === null && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        application.editor.focus();
      }
    };
    document.addEventListener("keydown", focusEditor);
    return () => document.removeEventListener("keydown", focusEditor);
  }, [application]);
  return (
    <div class="workspace">
      <a class="skip-link" href="#stream">
        Skip to results
      </a>
      <Rail />
      <Drawer />
      <main class="workspace-main">
        <h1 class="visually-hidden">Graph console</h1>
        <EditorBar />
        <FrameStream />
      </main>
      <Heartbeat />
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
      {isDropping ? <div class="drop-hint">Drop a CSV file to import it, or a .cypher script to open it</div> : null}
    </div>
  );
}
