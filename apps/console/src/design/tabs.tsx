import { type JSX, type TargetedKeyboardEvent } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly text: string; readonly icon: IconName }[];
  readonly selected: T;
  /** Tabs are `<prefix>-tab-<id>`, their panels `<prefix>-panel-<id>`. */
  readonly prefix: string;
  readonly onSelect: (id: T) => void;
}

/** A row of tabs; arrow keys move along it. @source WAI-ARIA, pattern "Tabs" */
export function Tabs<T extends string>({ label, tabs, selected, prefix, onSelect }: TabsProps<T>): JSX.Element {
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const index = tabs.findIndex(({ id }) => id === selected);
      const next = tabs[(index + step + tabs.length) % tabs.length];
      if (next !== undefined) {
        onSelect(next.id);
        event.currentTarget.querySelector<HTMLElement>(`#${prefix}-tab-${next.id}`)?.focus();
      }
    }
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, text, icon }) => (
        <button
          key={id}
          type="button"
          role="tab"
          class="tab"
          id={`${prefix}-tab-${id}`}
          aria-selected={id === selected}
          aria-controls={`${prefix}-panel`}
          aria-label={text}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          <Icon name={icon} size={16} />
          <span class="tab-text">{text}</span>
        </button>
      ))}
    </div>
  );
}
