import { effect, signal, type Signal } from "@preact/signals";

/** Where signals outlive the page: the browser's local storage, or nothing where it refuses. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

/**
 * A signal that is kept between visits. What was kept is read by `read`, which gives `undefined` for what it doesn't
 * know, since an older or newer console may have written it.
 */
export function storedSignal<T>(
  kept: KeptTexts,
  key: string,
  fallback: T,
  read: (value: unknown) => T | undefined,
): Signal<T> {
  const stored = signal(findKept(kept, key, read) ?? fallback);
  effect(() => {
    const text = JSON.stringify(stored.value);
    try {
      if (kept.getItem(key) !== text) {
        kept.setItem(key, text);
      }
    } catch {
      // Storage that is full or forbidden only means that nothing is remembered.
    }
  });
  return stored;
}

function findKept<T>(kept: KeptTexts, key: string, read: (value: unknown) => T | undefined): T | undefined {
  try {
    const text = kept.getItem(key);
    return text === null ? undefined : read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function readTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : undefined;
}
