/** A blob by its name, or a container when there is no name. */
export interface ReadKey {
  readonly accountId: number;
  readonly container: string;
  readonly name?: string | undefined;
}

/** What a row is taken to need besides its bytes. */
const ROW_BYTES = 1024;

/**
 * Rows that were read lately, so that what many ask for is not looked up each time. Every change goes through this
 * process (decisions/0031) and takes what it touches out before it is acknowledged: a reader who knows of a change
 * never sees what was before it.
 *
 * Two halves: what is asked for again moves into the young one; when that is full the old one goes.
 */
export class RecentReads {
  readonly #limitBytes: number;
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  #youngBytes = 0;

  /** @param limitBytes  of both halves together */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  find(key: ReadKey): unknown {
    const text = textOf(key);
    const young = this.#young.get(text);
    if (young !== undefined) {
      return young.row;
    }
    const old = this.#old.get(text);
    if (old !== undefined) {
      this.#keep(text, old);
    }
    return old?.row;
  }

  /** @param bytes  those that the row holds besides its columns */
  keep(key: ReadKey, row: object, bytes: number): void {
    const text = textOf(key);
    this.#keep(text, { row, bytes: bytes + ROW_BYTES + 2 * text.length });
  }

  /** After a change: those that it names, or everything when it doesn't say which blob it is about. */
  forget(change: unknown): void {
    if (isOfOneBlob(change)) {
      const text = textOf(change);
      this.#young.delete(text);
      this.#old.delete(text);
    } else {
      this.#young.clear();
      this.#old.clear();
      this.#youngBytes = 0;
    }
  }

  #keep(text: string, entry: Entry): void {
    if (this.#youngBytes + entry.bytes > this.#limitBytes / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(text, entry);
    this.#youngBytes += entry.bytes;
  }
}

interface Entry {
  readonly row: object;
  readonly bytes: number;
}

/** No container's name has a slash. */
function textOf({ accountId, container, name }: ReadKey): string {
  return name === undefined ? `${accountId}/${container}` : `${accountId}/${container}/${name}`;
}

/** Changes of one blob name it like this; see BlobAddress. */
function isOfOneBlob(change: unknown): change is Required<ReadKey> {
  const { accountId, container, name } = (change ?? {}) as Partial<ReadKey>;
  return typeof accountId === "number" && typeof container === "string" && typeof name === "string";
}
