import { type JSX } from "preact";
import { ChoiceField, TextField } from "../design/field.tsx";
import { type ColumnPlan, type EndPlan } from "./import-plan.ts";

export interface EndFieldsProps {
  readonly title: string;
  readonly end: EndPlan;
  readonly columns: readonly ColumnPlan[];
  readonly labels: readonly string[];
  readonly onChange: (end: EndPlan) => void;
}

/** How one end of each relationship is found among the nodes there are. */
export function EndFields({ title, end, columns, labels, onChange }: EndFieldsProps): JSX.Element {
  return (
    <fieldset class="column end-fields">
      <legend class="field-label">{title}</legend>
      <ChoiceField
        label={`${title}: label`}
        value={end.label}
        choices={labels.map((label) => [label, label] as const)}
        onChange={(label) => onChange({ ...end, label })}
      />
      <TextField
        label={`${title}: property`}
        value={end.property}
        onChange={(property) => onChange({ ...end, property })}
      />
      <ChoiceField
        label={`${title}: column`}
        value={String(end.column)}
        choices={columns.map(({ header }, index) => [String(index), header] as const)}
        onChange={(column) => onChange({ ...end, column: Number(column) })}
      />
    </fieldset>
  );
}
