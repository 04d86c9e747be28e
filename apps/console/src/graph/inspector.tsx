import { type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "../design/button.tsx";
import { useApplication } from "../state/application.ts";
import { type Properties } from "../values/value.ts";
import { cellText } from "../values/value-text.ts";
import { type LegendEntry } from "./legend.tsx";
import { inkOn } from "./palette.ts";
import { isNode, type PictureEntity, type PictureLink, type PictureNode } from "./picture.ts";
import { type Stage } from "./stage.ts";
import { StyleEditor } from "./style-editor.tsx";

export interface InspectorProps {
  readonly stage: Stage;
  readonly legendEntry: LegendEntry | undefined;
  readonly onCloseLegend: () => void;
  readonly onExpand: (node: PictureNode) => void;
  readonly onHide: (node: PictureNode) => void;
  readonly onPin: (node: PictureNode) => void;
}

const MAXIMUM_LISTED = 50;

/** Beside the stage: the style of a label or type, or all that is known of the selected entity. */
export function Inspector(props: InspectorProps): JSX.Element | null {
  const { stage, legendEntry } = props;
  const selected = stage.selected.value;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const width = panel.current?.offsetWidth ?? 0;
    // On small screens it lies below, over the whole width.
    stage.coveredPixels = width < stage.size.width ? width : 0;
  });
  if (legendEntry === undefined && selected === undefined) {
    return null;
  }
  return (
    <div ref={panel} class="inspector" role="group" aria-label="Details">
      {legendEntry === undefined ? null : (
        <div class="column">
          <div class="row section-head">
            <h3>Style</h3>
            <IconButton icon="close" label="Close style" onClick={props.onCloseLegend} />
          </div>
          <StyleEditor {...legendEntry} keys={keysOf(stage, legendEntry)} />
        </div>
      )}
      {selected === undefined ? null : isNode(selected) ? (
        <NodeDetails {...props} node={selected} />
      ) : (
        <LinkDetails stage={stage} link={selected} />
      )}
    </div>
  );
}

function NodeDetails({
  stage,
  node,
  onExpand,
  onHide,
  onPin,
}: InspectorProps & { readonly node: PictureNode }): JSX.Element {
  const { styles } = useApplication();
  const links = stage.picture.linksOf(node);
  return (
    <div class="column">
      <Head title={styles.nodeCaption(node.value)} stage={stage} />
      <div class="chips">
        {node.value.labels.map((label) => {
          const { color } = styles.ofLabel(label);
          return (
            <span key={label} class="tag" style={{ background: color, color: inkOn(color) }}>
              {label}
            </span>
          );
        })}
        <span class="tag">id {node.value.id}</span>
      </div>
      <div class="row inspector-actions">
        <Button icon="graph" onClick={() => onExpand(node)}>
          Expand
        </Button>
        <Button icon="pin" onClick={() => onPin(node)}>
          {node.isPinned ? "Unpin" : "Pin"}
        </Button>
        <Button icon="eyeOff" onClick={() => onHide(node)}>
          Hide
        </Button>
      </div>
      <PropertyList properties={node.value.properties} />
      {links.length === 0 ? null : (
        <section class="column">
          <h3>
            Relationships in the picture <span class="muted count">{links.length}</span>
          </h3>
          <ul class="entry-list">
            {links.slice(0, MAXIMUM_LISTED).map((link) => {
              const other = link.source === node ? link.target : link.source;
              return (
                <li key={link.value.id}>
                  <button type="button" class="entry-button" onClick={() => stage.show(other)}>
                    <span class="muted">{link.source === node ? "→" : "←"}</span> {link.value.type}{" "}
                    <strong>{styles.nodeCaption(other.value)}</strong>
                  </button>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </div>
  );
}

function LinkDetails({ stage, link }: { readonly stage: Stage; readonly link: PictureLink }): JSX.Element {
  const { styles } = useApplication();
  return (
    <div class="column">
      <Head title={link.value.type} stage={stage} />
      <div class="chips">
        <span class="tag tag-type">{link.value.type}</span>
        <span class="tag">id {link.value.id}</span>
      </div>
      <ul class="entry-list">
        {[["From", link.source] as const, ["To", link.target] as const].map(([word, node]) => (
          <li key={word}>
            <button type="button" class="entry-button" onClick={() => stage.show(node)}>
              <span class="muted">{word}</span> <strong>{styles.nodeCaption(node.value)}</strong>
            </button>
          </li>
        ))}
      </ul>
      <PropertyList properties={link.value.properties} />
    </div>
  );
}

function Head({ title, stage }: { readonly title: string; readonly stage: Stage }): JSX.Element {
  return (
    <div class="row section-head inspector-head">
      <h3>{title}</h3>
      <IconButton icon="close" label="Close details" onClick={() => stage.select(undefined)} />
    </div>
  );
}

function PropertyList({ properties }: { readonly properties: Properties }): JSX.Element {
  if (properties.size === 0) {
    return <p class="muted">No properties.</p>;
  }
  return (
    <dl class="property-list">
      {[...properties].map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{cellText(value).slice(0, 2000)}</dd>
        </div>
      ))}
    </dl>
  );
}

function keysOf({ picture }: Stage, { kind, name }: LegendEntry): readonly string[] {
  const entities: readonly PictureEntity[] =
    kind === "label"
      ? picture.nodes.filter(({ value }) => value.labels[0] === name)
      : picture.links.filter(({ value }) => value.type === name);
  return [...new Set(entities.slice(0, 200).flatMap(({ value }) => [...value.properties.keys()]))];
}
