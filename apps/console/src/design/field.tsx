import { type JSX } from "preact";
import { useId } from "preact/hooks";

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly type?: "text" | "password" | "search" | "number";
  readonly autoComplete?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isLabelHidden?: boolean;
  readonly hasFocus?: boolean;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

export function TextField(props: TextFieldProps): JSX.Element {
  const id = useId();
  const { label, hint, isLabelHidden = false } = props;
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? "visually-hidden" : undefined}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        // One of several text inputs: JSX has a type of its own for each.
        type={(props.type ?? "text") as "text"}
        value={props.value}
        placeholder={props.placeholder}
        autocomplete={(props.autoComplete ?? "off") as "off"}
        spellcheck={false}
        autocapitalize="off"
        min={props.minimum}
        max={props.maximum}
        // The screen's first field: whoever comes here came to type.
        autofocus={props.hasFocus ?? false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      {hint === undefined ? null : (
        <span id={`${id}-hint`} class="field-hint">
          {hint}
        </span>
      )}
    </div>
  );
}

export interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
  readonly isLabelHidden?: boolean;
}

export function ChoiceField({ label, value, choices, onChange, isLabelHidden }: ChoiceFieldProps): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={isLabelHidden === true ? "visually-hidden" : undefined}>
        {label}
      </label>
      <select id={id} class="select" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export interface CheckboxProps {
  readonly label: string;
  readonly hint?: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function Checkbox({ label, hint, isChecked, onChange }: CheckboxProps): JSX.Element {
  return (
    <label class="checkbox">
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint === undefined ? null : <span class="field-hint"> {hint}</span>}
      </span>
    </label>
  );
}
