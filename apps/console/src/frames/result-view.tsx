import { type JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "../design/icon.tsx";
import { Menu, type MenuItem } from "../design/menu.tsx";
import { Tabs } from "../design/tabs.tsx";
import { type PictureExport } from "../graph/picture-export.ts";
import { type FrameContent } from "../state/frame.ts";
import { exportItems } from "./export-items.ts";
import { PlanView } from "./plan-view.tsx";
import { RawView } from "./raw-view.tsx";
import { resultSummary } from "./result-summary.ts";
import { TableView } from "./table-view.tsx";
import { TextView } from "./text-view.tsx";

const GraphView = lazy(async () => ({ default: (await import("../graph/graph-view.tsx")).GraphView }));

type ViewName = "graph" | "table" | "text" | "plan" | "raw";

const VIEWS: Readonly<Record<ViewName, { readonly text: string; readonly icon: IconName }>> = {
  graph: { text: "Graph", icon: "graph" },
  table: { text: "Table", icon: "table" },
  text: { text: "Text", icon: "text" },
  plan: { text: "Plan", icon: "plan" },
  raw: { text: "Raw", icon: "code" },
};

export interface ResultViewProps {
  readonly frameId: number;
  readonly content: FrameContent & { readonly kind: "result" };
  readonly isWide: boolean;
}

/** A result in each of the ways it can be looked at; those that would be empty are not offered. */
export function ResultView({ frameId, content, isWide }: ResultViewProps): JSX.Element {
  const { answer } = content;
  const names = viewsOf(content);
  const [selected, select] = useState<ViewName>(names[0] ?? "table");
  const picture = useRef<PictureExport | undefined>(undefined);
  const prefix = `frame-${frameId}`;
  const items: readonly MenuItem[] = exportItems(answer, () => (selected === "graph" ? picture.current : undefined));
  return (
    <>
      <div class="result-bar">
        <Tabs
          label="Views of the result"
          prefix={prefix}
          tabs={names.map((id) => ({ id, ...VIEWS[id] }))}
          selected={selected}
          onSelect={select}
        />
        <Menu label="Save the result" icon="download" items={items} />
      </div>
      {answer.notifications.map(({ title, description }) => (
        <div key={description} class="banner banner-warning result-notification">
          <Icon name="warning" />
          <p>
            <strong>{title}</strong> {description}
          </p>
        </div>
      ))}
      <div
        id={`${prefix}-panel`}
        role="tabpanel"
        aria-labelledby={`${prefix}-tab-${selected}`}
        class={`result-panel result-${selected}`}
      >
        {selected === "graph" ? (
          <Suspense fallback={<div class="spinner" />}>
            <GraphView answer={answer} isWide={isWide} picture={picture} />
          </Suspense>
        ) : selected === "table" ? (
          <TableView columns={answer.columns} rows={answer.rows} />
        ) : selected === "text" ? (
          <TextView columns={answer.columns} rows={answer.rows} />
        ) : selected === "plan" && answer.plan !== undefined ? (
          <PlanView plan={answer.plan} durationMs={answer.durationMs} />
        ) : (
          <RawView answer={answer} />
        )}
      </div>
      <footer class="result-foot muted">{resultSummary(answer)}</footer>
    </>
  );
}

function viewsOf({ answer }: ResultViewProps["content"]): readonly ViewName[] {
  const views: ViewName[] = [];
  if (answer.plan !== undefined) {
    views.push("plan");
  }
  if (answer.nodes.length > 0) {
    views.push("graph");
  }
  if (answer.columns.length > 0 || views.length === 0) {
    views.push("table", "text");
  }
  return [...views, "raw"];
}
