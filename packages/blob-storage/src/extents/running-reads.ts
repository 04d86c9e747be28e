/** Knows which reads of content are under way, so that the collector deletes no file under them. */
export class RunningReads {
  readonly #running = new Set<Promise<void>>();

  /** Call in the same turn of the event loop in which the content's record was read. @returns ends the read */
  begin(): () => void {
    const { promise, resolve } = withResolvers();
    this.#running.add(promise);
    return () => {
      this.#running.delete(promise);
      resolve();
    };
  }

  /** Resolves when every read that is under way now has ended. */
  async finishedSoFar(): Promise<void> {
    await Promise.all(this.#running);
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
