import { type ComponentChildren, type JSX } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: "primary" | "danger" | "plain" | undefined;
  readonly icon?: IconName | undefined;
  readonly type?: "button" | "submit";
  readonly isDisabled?: boolean;
  readonly onClick?: () => void;
}

export function Button({ children, kind, icon, type = "button", isDisabled, onClick }: ButtonProps): JSX.Element {
  return (
    <button
      type={type}
      class={kind === undefined ? "button" : `button button-${kind}`}
      disabled={isDisabled ?? false}
      onClick={onClick}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps {
  readonly icon: IconName;
  /** What it does, in words: shown as a tooltip and read aloud. */
  readonly label: string;
  readonly isPressed?: boolean | undefined;
  readonly isExpanded?: boolean | undefined;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

export function IconButton({ icon, label, isPressed, isExpanded, isDisabled, onClick }: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      disabled={isDisabled ?? false}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
