import { type JSX } from "preact";
import { Button } from "../design/button.tsx";
import { TextTableView } from "../design/text-table-view.tsx";
import { SettingsForm } from "../shell/settings-form.tsx";
import { type Frame } from "../state/frame.ts";
import { ErrorsView } from "./errors-view.tsx";
import { GuideView } from "./guide-view.tsx";
import { HelpView } from "./help-view.tsx";
import { HistoryView } from "./history-view.tsx";
import { ParametersView } from "./parameters-view.tsx";
import { QueriesView } from "./queries-view.tsx";
import { RequestView } from "./request-view.tsx";
import { ResultView } from "./result-view.tsx";
import { RichText } from "./rich-text.tsx";
import { StylesView } from "./styles-view.tsx";

/** The inside of a frame, by the kind of its content. */
export function FrameContentView({ frame, isWide }: { readonly frame: Frame; readonly isWide: boolean }): JSX.Element {
  const content = frame.content.value;
  switch (content.kind) {
    case "running":
      return (
        <div class="row frame-running">
          <div class="spinner" role="status" aria-label="Running" />
          <span class="muted">{content.progress ?? "Running …"}</span>
          <Button icon="stop" onClick={content.cancel}>
            Cancel
          </Button>
        </div>
      );
    case "result":
      return <ResultView key={content.answer.requestText} frameId={frame.id} content={content} isWide={isWide} />;
    case "errors":
      return <ErrorsView {...content} />;
    case "notice":
      return (
        <div class="frame-pad column">
          <h2>{content.title}</h2>
          <p>
            <RichText text={content.text} />
          </p>
        </div>
      );
    case "guide":
      return <GuideView key={content.guide.name} guide={content.guide} />;
    case "help":
      return <HelpView topic={content.topic} />;
    case "schema":
    case "system":
      return (
        <div class="frame-pad tables">
          {content.tables.map((table) => (
            <TextTableView key={table.title} {...table} />
          ))}
        </div>
      );
    case "queries":
      return <QueriesView />;
    case "request":
      return <RequestView {...content} />;
    case "history":
      return <HistoryView />;
    case "parameters":
      return <ParametersView />;
    case "settings":
      return (
        <div class="frame-pad">
          <SettingsForm />
        </div>
      );
    case "styles":
      return <StylesView />;
  }
}
