import { type JSX } from "preact";
import { inkOn } from "../graph/palette.ts";
import { useApplication } from "../state/application.ts";
import { isList, type Properties, type Value } from "../values/value.ts";
import { cellText, valueText } from "../values/value-text.ts";
import { WholeFloat } from "../values/whole-float.ts";

const LONG = 1200;

/** One cell: nodes and relationships as tags with their properties, the rest as text. */
export function CellView({ value }: { readonly value: Value }): JSX.Element {
  const { styles } = useApplication();
  if (value === null) {
    return <span class="cell-null">null</span>;
  }
  if (typeof value !== "object" || value instanceof WholeFloat) {
    return <span class={typeof value === "string" ? "cell-text" : "cell-number"}>{shortened(cellText(value))}</span>;
  }
  if (isList(value)) {
    return value.some((each) => typeof each === "object" && each !== null && "kind" in each) ? (
      <ul class="cell-list">
        {value.slice(0, 100).map((each, index) => (
          <li key={index}>
            <CellView value={each} />
          </li>
        ))}
        {value.length > 100 ? <li class="muted">and {value.length - 100} more</li> : null}
      </ul>
    ) : (
      <span class="cell-code">{shortened(valueText(value))}</span>
    );
  }
  switch (value.kind) {
    case "node":
      return (
        <div class="cell-entity">
          {value.labels.map((label) => {
            const { color } = styles.ofLabel(label);
            return (
              <span key={label} class="tag" style={{ background: color, color: inkOn(color) }}>
                {label}
              </span>
            );
          })}
          <PropertyText properties={value.properties} />
        </div>
      );
    case "relationship":
      return (
        <div class="cell-entity">
          <span class="tag tag-type">{value.type}</span>
          <PropertyText properties={value.properties} />
        </div>
      );
    case "path":
      return (
        <ol class="cell-path">
          {value.nodes.map((node, index) => {
            const relationship = value.relationships[index];
            return (
              <li key={index}>
                <CellView value={node} />
                {relationship === undefined ? null : (
                  <span class="cell-step">
                    <span aria-hidden="true">{relationship.startId === node.id ? "↓" : "↑"}</span>
                    <CellView value={relationship} />
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      );
    case "map":
      return <span class="cell-code">{shortened(valueText(value))}</span>;
  }
}

function PropertyText({ properties }: { readonly properties: Properties }): JSX.Element {
  return (
    <span class="cell-properties">
      {[...properties].map(([key, value]) => (
        <span key={key}>
          <span class="cell-key">{key}</span> {shortened(cellText(value))}{" "}
        </span>
      ))}
    </span>
  );
}

function shortened(text: string): string {
  return text.length > LONG ? `${text.slice(0, LONG)} … (${text.length} characters)` : text;
}
