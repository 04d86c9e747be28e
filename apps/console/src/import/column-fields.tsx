import { type JSX } from "preact";
import { COLUMN_TYPES, type ColumnType } from "./column-types.ts";
import { type ColumnPlan } from "./import-plan.ts";

export interface ColumnFieldsProps {
  readonly columns: readonly ColumnPlan[];
  readonly onChange: (columns: readonly ColumnPlan[]) => void;
}

/** Which columns become properties, under which names, of which types. */
export function ColumnFields({ columns, onChange }: ColumnFieldsProps): JSX.Element {
  const change = (index: number, part: Partial<ColumnPlan>): void =>
    onChange(columns.map((column, at) => (at === index ? { ...column, ...part } : column)));
  return (
    <fieldset class="column column-fields">
      <legend class="field-label">Properties</legend>
      {columns.map(({ header, property, type, isUsed }, index) => (
        <div key={index} class="column-field">
          <input
            type="checkbox"
            checked={isUsed}
            aria-label={`Use ${header}`}
            onChange={(event) => change(index, { isUsed: event.currentTarget.checked })}
          />
          <input
            class="input"
            value={property}
            aria-label={`Property of ${header}`}
            disabled={!isUsed}
            onInput={(event) => change(index, { property: event.currentTarget.value })}
          />
          <select
            class="select"
            value={type}
            aria-label={`Type of ${header}`}
            onChange={(event) => change(index, { type: event.currentTarget.value as ColumnType })}
          >
            {COLUMN_TYPES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}
