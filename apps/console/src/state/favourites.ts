import { type Signal } from "@preact/signals";
import { type KeptTexts, storedSignal } from "./stored-signal.ts";

/** A statement worth keeping. Its name is its first line's comment, if it has one. */
export interface Favourite {
  readonly id: string;
  readonly text: string;
}

export class Favourites {
  readonly list: Signal<readonly Favourite[]>;

  constructor(kept: KeptTexts) {
    this.list = storedSignal<readonly Favourite[]>(kept, "trefoil.graph.favourites", FIRST_FAVOURITES, readFavourites);
  }

  add(text: string): void {
    const trimmed = text.trim();
    if (trimmed !== "" && !this.list.value.some((each) => each.text === trimmed)) {
      this.list.value = [...this.list.value, { id: crypto.randomUUID(), text: trimmed }];
    }
  }

  remove(id: string): void {
    this.list.value = this.list.value.filter((each) => each.id !== id);
  }
}

export function favouriteName({ text }: Favourite): string {
  const [first = ""] = text.split("\n");
  return /^\/\/\s*(.+)$/.exec(first)?.[1] ?? first;
}

const FIRST_FAVOURITES: readonly Favourite[] = [
  "// Some of everything\nMATCH (n) RETURN n LIMIT 50",
  "// Relationships between labels\nMATCH (a)-[r]->(b)\nRETURN labels(a) AS `from`, type(r) AS type, labels(b) AS `to`, count(*) AS count\nORDER BY count DESC",
  "// Nodes with most relationships\nMATCH (n)-[r]-()\nRETURN n, count(r) AS degree\nORDER BY degree DESC LIMIT 10",
].map((text, index) => ({ id: `first-${index}`, text }));

function readFavourites(value: unknown): readonly Favourite[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  return value.filter(
    (each): each is Favourite =>
      typeof each === "object" &&
      each !== null &&
      typeof (each as Favourite).id === "string" &&
      typeof (each as Favourite).text === "string",
  );
}
