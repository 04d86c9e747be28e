import { type JSX, type TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  readonly text: string;
  readonly icon?: IconName;
  readonly onSelect: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  readonly items: readonly MenuItem[];
}

/** A button with a list of actions; arrow keys and Escape do what they do everywhere. @source WAI-ARIA, "Menu Button" */
export function Menu({ label, icon, items }: MenuProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) {
        setOpen(false);
      }
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const entries = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const index = entries.findIndex((entry) => entry === document.activeElement);
    const target: Readonly<Record<string, number>> = {
      ArrowDown: (index + 1) % entries.length,
      ArrowUp: (index - 1 + entries.length) % entries.length,
      Home: 0,
      End: entries.length - 1,
    };
    const next = target[event.key];
    if (next !== undefined) {
      event.preventDefault();
      entries[next]?.focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") {
      setOpen(false);
    }
  };
  return (
    <div class="menu" ref={root}>
      <button
        ref={button}
        type="button"
        class="icon-button"
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={icon} />
      </button>
      {isOpen ? (
        <div class="menu-list" role="menu" aria-label={label} onKeyDown={move}>
          {items.map(({ text, icon: itemIcon, onSelect }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class="menu-item"
              onClick={() => {
                close();
                onSelect();
              }}
            >
              {itemIcon === undefined ? null : <Icon name={itemIcon} size={16} />}
              {text}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
