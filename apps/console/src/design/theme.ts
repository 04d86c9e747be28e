import { effect, signal, type ReadonlySignal } from "@preact/signals";

export type Theme = "light" | "dark";

/**
 * Keeps the page in the chosen colours; `system` follows the browser, also while it changes.
 *
 * @returns which colours are in force, for what is drawn by hand
 */
export function followTheme(chosen: () => Theme | "system"): ReadonlySignal<Theme> {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = signal(dark.matches);
  dark.addEventListener("change", () => {
    isDark.value = dark.matches;
  });
  const theme = signal<Theme>("light");
  effect(() => {
    const choice = chosen();
    theme.value = choice === "system" ? (isDark.value ? "dark" : "light") : choice;
    document.documentElement.dataset["theme"] = theme.value;
  });
  return theme;
}
