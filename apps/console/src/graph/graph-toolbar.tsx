import { type JSX } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import { IconButton } from "../design/button.tsx";
import { Icon } from "../design/icon.tsx";
import { useApplication } from "../state/application.ts";
import { cellText } from "../values/value-text.ts";
import { type PictureNode } from "./picture.ts";
import { type Stage } from "./stage.ts";

const MAXIMUM_MATCHES = 12;

/** Search and zoom, over the stage. */
export function GraphToolbar({ stage }: { readonly stage: Stage }): JSX.Element {
  return (
    <>
      <GraphSearch stage={stage} />
      <div class="zoom-buttons" role="group" aria-label="Zoom">
        <IconButton icon="plus" label="Zoom in" onClick={() => stage.zoom(1.3)} />
        <IconButton icon="minus" label="Zoom out" onClick={() => stage.zoom(1 / 1.3)} />
        <IconButton icon="fit" label="Fit into the view" onClick={() => stage.fit()} />
      </div>
    </>
  );
}

/** Finds nodes of the picture by their captions and properties. */
function GraphSearch({ stage }: { readonly stage: Stage }): JSX.Element {
  const { styles } = useApplication();
  const [text, setText] = useState("");
  const id = useId();
  const matches = useMemo(() => findMatches(stage, text), [stage, text]);
  const choose = (node: PictureNode): void => {
    stage.show(node);
    setText("");
  };
  return (
    <div class="graph-search">
      <Icon name="search" size={15} />
      <input
        type="search"
        class="graph-search-input"
        aria-label="Find in the picture"
        placeholder="Find …"
        value={text}
        aria-describedby={`${id}-count`}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = matches;
          if (event.key === "Enter" && first !== undefined) {
            choose(first);
          } else if (event.key === "Escape") {
            setText("");
          }
        }}
      />
      <span id={`${id}-count`} class="visually-hidden" role="status">
        {text === "" ? "" : `${matches.length} found`}
      </span>
      {text === "" ? null : (
        <ul class="graph-matches">
          {matches.map((node) => (
            <li key={node.value.id}>
              <button type="button" class="menu-item" onClick={() => choose(node)}>
                <span class="dot" style={{ background: node.color }} />
                {styles.nodeCaption(node.value)}
              </button>
            </li>
          ))}
          {matches.length === 0 ? <li class="muted graph-no-match">Nothing found</li> : null}
        </ul>
      )}
    </div>
  );
}

function findMatches({ picture }: Stage, text: string): readonly PictureNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") {
    return [];
  }
  const found: PictureNode[] = [];
  for (const node of picture.nodes) {
    const texts = [...node.value.properties.values()].map(cellText);
    if ([...texts, ...node.value.labels, node.value.id].some((each) => each.toLowerCase().includes(wanted))) {
      found.push(node);
      if (found.length === MAXIMUM_MATCHES) {
        break;
      }
    }
  }
  return found;
}
