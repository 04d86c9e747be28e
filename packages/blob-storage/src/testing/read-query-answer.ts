/** What an answer to a query holds, read by other code than it was written with. */
export interface QueryAnswer {
  /** All results, in order. */
  readonly text: string;
  readonly problems: readonly { readonly fatal: boolean; readonly name: string; readonly description: string }[];
  /** Bytes scanned, as they were told. */
  readonly progress: readonly number[];
  /** The total of the end, which is the last record. */
  readonly end: number | undefined;
}

/** @throws when it is no Avro container of the four records of a query */
export function readQueryAnswer(bytes: Buffer): QueryAnswer {
  const input = new Input(bytes);
  if (input.take(4).toString("latin1") !== "Obj\u0001") {
    throw new Error("no Avro container");
  }
  const metadata = new Map<string, string>();
  for (let count = input.long(); count !== 0; count = input.long()) {
    for (let entry = 0; entry < count; entry++) {
      metadata.set(input.bytes().toString(), input.bytes().toString());
    }
  }
  const schema = JSON.parse(metadata.get("avro.schema") ?? "") as readonly { readonly name: string }[];
  const names = schema.map(({ name }) => name.split(".").at(-1));
  const sync = input.take(16);
  const answer = { text: "", problems: [] as QueryAnswer["problems"][number][], progress: [] as number[] };
  let end: number | undefined;
  while (!input.isAtEnd) {
    const count = input.long();
    const block = new Input(input.bytes());
    for (let record = 0; record < count; record++) {
      switch (names[block.long()]) {
        case "resultData":
          answer.text += block.bytes().toString();
          break;
        case "error": {
          const fatal = block.take(1)[0] === 1;
          answer.problems.push({ fatal, name: block.bytes().toString(), description: block.bytes().toString() });
          block.long();
          break;
        }
        case "progress":
          answer.progress.push(block.long());
          block.long();
          break;
        case "end":
          end = block.long();
          break;
        default:
          throw new Error("an unknown record");
      }
    }
    if (!input.take(16).equals(sync) || !block.isAtEnd) {
      throw new Error("blocks out of step");
    }
  }
  return { ...answer, end };
}

class Input {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    if (taken.length !== length) {
      throw new Error("cut off");
    }
    this.#at += length;
    return taken;
  }

  bytes(): Buffer {
    return this.take(this.long());
  }

  long(): number {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(this.take(1)[0] ?? 0);
      value |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) {
        return Number(BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n)));
      }
    }
  }
}
