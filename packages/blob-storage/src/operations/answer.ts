/** What an operation answers; rendered by render-answer.ts in the request's header family. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body?: AnswerBody | undefined;
}

/** A leading `~` in a name stands for the family's prefix; `undefined` values are left out. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

export type AnswerBody =
  | { readonly kind: "xml"; readonly text: string }
  /** A small body that is in memory already: it leaves with the headers, in one write. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | {
      readonly kind: "content";
      /** Absent where nobody knows before the end: then it is sent in chunks. */
      readonly length?: number;
      /** Each part is valid until the next one is asked for. */
      readonly parts: AsyncIterable<Uint8Array>;
      /** Called once when the answer has been sent or given up, whether or not any part was asked for. */
      readonly release: () => void;
    };
