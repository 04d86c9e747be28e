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
  /** One click puts it into the editor, another runs it; `note` says what it does. */
  | { readonly kind: "statement"; readonly statement: string; readonly note?: string | undefined }
  | { readonly kind: "guide"; readonly guide: string; readonly title: string; readonly summary: string };
