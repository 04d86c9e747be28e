/** A walk in pages, each of text and statements to try. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly pages: readonly GuidePage[];
}

export interface GuidePage {
  readonly title: string;
  readonly parts: readonly GuidePart[];
}

export type GuidePart =
  | { readonly kind: "text"; readonly text: string }
  /** A click puts it into the editor; with `note` it says what it does. */
  | { readonly kind: "statement"; readonly statement: string; readonly note?: string };
