/** How long another server may take to begin its answer, and between two pieces of it. */
const LONGEST_SILENCE_MS = 30_000;
/** Unpacked: what is larger is no file for one statement. */
const LARGEST_ANSWER_BYTES = 16 * 2 ** 30;
const MOST_REDIRECTS = 5;

/**
 * The bytes that an `http` or `https` URL answers with, as they come. Redirects are followed within the same protocol
 * only (cypher.md §2.1).
 *
 * @throws  Error when there is no answer of status 2xx, from here; when it breaks off, falls silent or is too large,
 *   from the bytes
 */
export async function requestBytes(start: URL): Promise<AsyncGenerator<Uint8Array, void, void>> {
  const silence = new Silence();
  let url = start;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const answer = await silence.during(fetch(url, { redirect: "manual", signal: silence.signal }));
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get("location") : null;
    if (answer.ok && answer.body !== null) {
      return piecesOf(answer.body.getReader(), silence);
    }
    await answer.body?.cancel();
    if (location === null) {
      throw new Error(`answered with status ${answer.status}`);
    }
    const next = new URL(location, url);
    if (next.protocol !== url.protocol) {
      throw new Error("redirects to another protocol");
    }
    url = next;
  }
  throw new Error("redirects too often");
}

interface PieceReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

async function* piecesOf(reader: PieceReader, silence: Silence): AsyncGenerator<Uint8Array, void, void> {
  let received = 0;
  try {
    for (;;) {
      const { value } = await silence.during(reader.read());
      if (value === undefined) {
        return;
      }
      received += value.length;
      if (received > LARGEST_ANSWER_BYTES) {
        throw new Error("the answer is too large");
      }
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Breaks a request off when the other side says nothing for too long while it is waited for. */
class Silence {
  readonly #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async during<T>(promise: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#controller.abort(new Error("no answer in time")), LONGEST_SILENCE_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}
