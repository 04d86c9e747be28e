/** Takes the text of an answer while it is made. */
export interface TextSink {
  /** Takes text; returns whether {@link drain} should be awaited before more is made. */
  write(text: string): boolean;
  /** Resolves when there is room for more, or nobody is there any more to want it. */
  drain(): Promise<void>;
}

/** Keeps everything: for answers that become part of another one. */
export class CollectingSink implements TextSink {
  readonly #parts: string[] = [];

  write(text: string): boolean {
    this.#parts.push(text);
    return false;
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  get text(): string {
    return this.#parts.join("");
  }
}
