import { type JSX } from "preact";
import { useApplication } from "../state/application.ts";
import { StyleEditor } from "../graph/style-editor.tsx";

/** Colours, sizes and captions of every label and type that has been drawn. */
export function StylesView(): JSX.Element {
  const { styles, catalogue } = useApplication();
  const labels = Object.keys(styles.labels.value);
  const types = catalogue.current.value.types.map(({ name }) => name);
  return (
    <div class="frame-pad styles-view">
      {labels.length === 0 && types.length === 0 ? <p class="muted">Nothing was drawn yet.</p> : null}
      {labels.map((label) => (
        <StyleEditor key={label} kind="label" name={label} keys={catalogue.current.value.propertyKeys} />
      ))}
      {types.map((type) => (
        <StyleEditor key={type} kind="type" name={type} keys={catalogue.current.value.propertyKeys} />
      ))}
    </div>
  );
}
