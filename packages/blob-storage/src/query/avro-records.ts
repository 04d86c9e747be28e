import { randomBytes } from "node:crypto";

/*
 * The answer to a query: an Avro object container (Avro 1.11, "Object Container Files") whose records are results,
 * progress, errors and the end. Clients know the records by these names.
 */

const NAMESPACE = "com.microsoft.azure.storage.queryBlobContents";

const field = (name: string, type: string): object => ({ name, type });
const record = (name: string, ...fields: readonly object[]): object => ({
  type: "record",
  name: `${NAMESPACE}.${name}`,
  fields,
});

const SCHEMA = JSON.stringify([
  record("resultData", field("data", "bytes")),
  record(
    "error",
    field("fatal", "boolean"),
    field("name", "string"),
    field("description", "string"),
    field("position", "long"),
  ),
  record("progress", field("bytesScanned", "long"), field("totalBytes", "long")),
  record("end", field("totalBytes", "long")),
]);

/** What went wrong with the data; `position` is a byte of the blob. */
export interface QueryProblem {
  readonly fatal: boolean;
  readonly name: string;
  readonly description: string;
  readonly position: number;
}

/** Writes records of one answer, each in a block of its own. */
export class AvroRecords {
  readonly #sync = randomBytes(16);

  /** What stands before the first record. */
  header(): Buffer {
    const entries = [text("avro.schema"), text(SCHEMA), text("avro.codec"), text("null")];
    return Buffer.concat([Buffer.from("Obj\u0001", "latin1"), long(2), ...entries, long(0), this.#sync]);
  }

  result(data: Uint8Array): Buffer {
    return this.#block(long(0), long(data.length), data);
  }

  problem({ fatal, name, description, position }: QueryProblem): Buffer {
    return this.#block(long(1), Buffer.from([fatal ? 1 : 0]), text(name), text(description), long(position));
  }

  progress(bytesScanned: number, totalBytes: number): Buffer {
    return this.#block(long(2), long(bytesScanned), long(totalBytes));
  }

  end(totalBytes: number): Buffer {
    return this.#block(long(3), long(totalBytes));
  }

  #block(...parts: readonly Uint8Array[]): Buffer {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    return Buffer.concat([long(1), long(size), ...parts, this.#sync]);
  }
}

/** Zigzag and seven bits a byte, the lowest first; for numbers from 0 to 2^52. */
function long(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value * 2;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([long(bytes.length), bytes]);
}
