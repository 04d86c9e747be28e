import { type JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useSignalEffect } from "@preact/signals";
import "./graph.css";
import { type StatementAnswer } from "../server/run-statement.ts";
import { useApplication } from "../state/application.ts";
import { createPicture } from "./create-picture.ts";
import { readLinksBetween, readNeighbours } from "./entity-queries.ts";
import { GraphToolbar } from "./graph-toolbar.tsx";
import { Inspector } from "./inspector.tsx";
import { controlByKey } from "./key-control.ts";
import { Legend, type LegendEntry } from "./legend.tsx";
import { type PictureNode } from "./picture.ts";
import { type PictureExport } from "./picture-export.ts";
import { controlByPointer } from "./pointer-control.ts";
import { Stage } from "./stage.ts";

/** Beyond this many nodes or relationships, what connects them is not asked for. */
const MAXIMUM_CONNECTED = 1000;
const MAXIMUM_CONNECTIONS = 5000;

export interface GraphViewProps {
  readonly answer: StatementAnswer;
  readonly isWide: boolean;
  /** Where the view leaves what can be saved of it, while it is shown. */
  readonly picture: { current: PictureExport | undefined };
}

/** A result as a graph: the stage, what can be done with it, and what is known of the selected entity. */
export function GraphView({ answer, isWide, picture: exported }: GraphViewProps): JSX.Element {
  const { server, styles, settings, announcement } = useApplication();
  const canvas = useRef<HTMLCanvasElement>(null);
  const wide = useRef(isWide);
  wide.current = isWide;
  const [stage, setStage] = useState<Stage | undefined>(undefined);
  const [legendEntry, setLegendEntry] = useState<LegendEntry | undefined>(undefined);
  // Counts changes of the picture that the list of labels and the summary follow.
  const [, setVersion] = useState(0);
  const picture = useMemo(() => createPicture(answer, styles, settings.peek().maxNodes), [answer, styles, settings]);

  const changed = (energy: number): void => {
    stage?.relayout(energy);
    setVersion((version) => version + 1);
  };
  const expand = async (node: PictureNode): Promise<void> => {
    const limit = settings.value.maxNeighbours;
    const before = picture.nodes.length;
    const found = await readNeighbours(server, node.value.id, limit);
    styles.prepare(found.nodes.flatMap(({ labels }) => labels));
    picture.add(found.nodes, found.relationships, node);
    const added = picture.nodes.length - before;
    const isCut = found.rows.length === limit ? ` There may be more than ${limit}; the limit is a setting.` : "";
    announcement.value = `${added} nodes added.${isCut}`;
    changed(0.5);
  };
  const hide = (node: PictureNode): void => {
    picture.hide(node);
    stage?.select(undefined);
    changed(0.15);
  };
  const pin = (node: PictureNode): void => {
    node.isPinned = !node.isPinned;
    changed(0.1);
  };
  const actions = useRef({ expand });
  actions.current = { expand };

  useEffect(() => {
    if (canvas.current === null) {
      return undefined;
    }
    const created = new Stage(canvas.current, picture);
    const abort = new AbortController();
    setStage(created);
    created.relayout(1);
    exported.current = {
      png: () => created.png(),
      svg: () => created.svg(),
      entities: () => ({
        nodes: picture.nodes.map(({ value }) => value),
        relationships: picture.links.map(({ value }) => value),
      }),
    };
    const release = controlByPointer(canvas.current, created, {
      wheelZooms: () => wide.current,
      onExpand: (node) => void actions.current.expand(node),
    });
    if (settings.peek().connectNodes && picture.nodes.length > 1 && picture.nodes.length <= MAXIMUM_CONNECTED) {
      const ids = picture.nodes.map(({ value }) => value.id);
      readLinksBetween(server, ids, MAXIMUM_CONNECTIONS, abort.signal).then(
        (found) => {
          const before = picture.links.length;
          picture.add([], found.relationships);
          if (picture.links.length > before) {
            created.relayout(0.9);
            setVersion((version) => version + 1);
          }
        },
        () => undefined, // the picture is whole without them
      );
    }
    return () => {
      abort.abort();
      release();
      created.end();
      exported.current = undefined;
    };
  }, [picture, server, settings, exported]);

  useSignalEffect(() => {
    // Read, so that each change of a style or the theme is followed.
    void [styles.labels.value, styles.types.value, settings.value.theme];
    picture.restyle();
    stage?.redraw();
  });

  const total = answer.nodes.length;
  return (
    <div class={isWide ? "graph-view graph-wide" : "graph-view"}>
      <div class="graph-stage">
        <canvas
          ref={canvas}
          class="graph-canvas"
          tabIndex={0}
          role="application"
          aria-roledescription="graph"
          aria-label={`Graph of ${picture.nodes.length} nodes and ${picture.links.length} relationships. N and P go from node to node, E expands, H hides, plus and minus zoom.`}
          onKeyDown={(event) => {
            if (
              stage !== undefined &&
              !event.ctrlKey &&
              !event.metaKey &&
              controlByKey(event, stage, { onExpand: (node) => void expand(node), onHide: hide })
            ) {
              event.preventDefault();
              event.stopPropagation();
            }
          }}
        />
        <Legend picture={picture} selected={legendEntry} onSelect={setLegendEntry} />
        {stage === undefined ? null : <GraphToolbar stage={stage} />}
        {total > picture.nodes.length && total > settings.value.maxNodes ? (
          <p class="graph-note">
            Showing {settings.value.maxNodes} of {total} nodes.
          </p>
        ) : null}
      </div>
      {stage === undefined ? null : (
        <Inspector
          stage={stage}
          legendEntry={legendEntry}
          onCloseLegend={() => setLegendEntry(undefined)}
          onExpand={(node) => void expand(node)}
          onHide={hide}
          onPin={pin}
        />
      )}
    </div>
  );
}
