import { type JSX } from "preact";
import { useApplication } from "../state/application.ts";
import { inkOn } from "./palette.ts";
import { type Picture } from "./picture.ts";

export interface LegendEntry {
  readonly kind: "label" | "type";
  readonly name: string;
}

export interface LegendProps {
  readonly picture: Picture;
  readonly selected: LegendEntry | undefined;
  readonly onSelect: (entry: LegendEntry | undefined) => void;
}

const MAXIMUM_ENTRIES = 12;

/** Labels and types of the picture with their counts; a click opens their style. */
export function Legend({ picture, selected, onSelect }: LegendProps): JSX.Element {
  const { styles } = useApplication();
  const labels = countBy(picture.nodes.flatMap(({ value }) => value.labels.slice(0, 1)));
  const types = countBy(picture.links.map(({ value }) => value.type));
  const toggle = (entry: LegendEntry): void =>
    onSelect(selected?.kind === entry.kind && selected.name === entry.name ? undefined : entry);
  return (
    <div class="legend">
      <div class="chips" role="group" aria-label="Labels in the picture">
        {labels.slice(0, MAXIMUM_ENTRIES).map(([name, count]) => {
          const { color } = styles.ofLabel(name);
          return (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={selected?.kind === "label" && selected.name === name}
              style={{ background: color, color: inkOn(color) }}
              onClick={() => toggle({ kind: "label", name })}
            >
              {name} <span class="chip-count">{count}</span>
            </button>
          );
        })}
      </div>
      <div class="chips legend-types" role="group" aria-label="Types in the picture">
        {types.slice(0, MAXIMUM_ENTRIES).map(([name, count]) => (
          <button
            key={name}
            type="button"
            class="chip chip-type"
            aria-pressed={selected?.kind === "type" && selected.name === name}
            onClick={() => toggle({ kind: "type", name })}
          >
            {name} <span class="chip-count">{count}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

function countBy(names: readonly string[]): readonly (readonly [name: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted(([, left], [, right]) => right - left);
}
