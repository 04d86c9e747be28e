import { type JSX } from "preact";
import "./style-editor.css";
import { ChoiceField } from "../design/field.tsx";
import { useApplication } from "../state/application.ts";
import { LINE_WIDTHS, NODE_SIZES } from "./graph-styles.ts";
import { inkOn, PALETTE } from "./palette.ts";

export interface StyleEditorProps {
  readonly kind: "label" | "type";
  readonly name: string;
  /** Properties that may be captions. */
  readonly keys: readonly string[];
}

/** Colour, size and caption of one label or type. */
export function StyleEditor({ kind, name, keys }: StyleEditorProps): JSX.Element {
  const { styles } = useApplication();
  const style = kind === "label" ? styles.ofLabel(name) : styles.ofType(name);
  const sizes = kind === "label" ? NODE_SIZES : LINE_WIDTHS;
  const change = (part: Partial<typeof style>): void =>
    kind === "label" ? styles.changeLabel(name, part) : styles.changeType(name, part);
  return (
    <fieldset class="style-editor column">
      {kind === "label" ? (
        <legend class="tag" style={{ background: style.color, color: inkOn(style.color) }}>
          {name}
        </legend>
      ) : (
        <legend class="tag tag-type">{name}</legend>
      )}
      <div class="swatches" role="group" aria-label={`Colour of ${name}`}>
        {(kind === "label" ? PALETTE : ["#98a5a0", ...PALETTE]).map((color) => (
          <button
            key={color}
            type="button"
            class="swatch"
            style={{ background: color }}
            aria-label={`Colour ${color}`}
            aria-pressed={style.color === color}
            onClick={() => change({ color })}
          />
        ))}
      </div>
      <div class="swatches" role="group" aria-label={kind === "label" ? `Size of ${name}` : `Width of ${name}`}>
        {sizes.map((size, index) => (
          <button
            key={size}
            type="button"
            class="size-button"
            aria-label={`Size ${index + 1} of ${sizes.length}`}
            aria-pressed={style.size === size}
            onClick={() => change({ size })}
          >
            <span
              class={kind === "label" ? "size-dot" : "size-line"}
              style={kind === "label" ? { width: `${size / 2}px`, height: `${size / 2}px` } : { height: `${size}px` }}
            />
          </button>
        ))}
      </div>
      <ChoiceField
        label={`Caption of ${name}`}
        value={style.caption ?? ""}
        choices={[
          ["", "chosen by itself"],
          ...(kind === "label" ? [["<label>", "label"] as const] : []),
          ["<id>", "id"],
          ...keys.map((key) => [key, key] as const),
        ]}
        onChange={(caption) => change({ caption: caption === "" ? undefined : caption })}
      />
    </fieldset>
  );
}
