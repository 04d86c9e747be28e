import { type MetadataConnection } from "./connection.ts";
import { type ReadKey, RecentReads } from "./recent-reads.ts";
import { type Steps } from "./steps.ts";
import { type BlobRow } from "./tables.ts";
import { type CommandInput, type CommandName, type CommandOutput } from "./writer/commands.ts";
import { type MetadataWriter } from "./writer/writer.ts";

/** Memory for what was read lately: some two thousand blobs of 4 KiB. */
const RECENT_BYTES = 12 * 1024 * 1024;

/** The object store's metadata: reads on a connection of this thread, changes through the one writer. */
export class Metadata {
  readonly #reader: MetadataConnection;
  readonly #writer: MetadataWriter;
  readonly #recent = new RecentReads(RECENT_BYTES);

  constructor(reader: MetadataConnection, writer: MetadataWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  /** Reads by one statement, or several that need not agree. Sees every change that was acknowledged. */
  read<Result>(steps: Steps<Result>): Result {
    return this.#reader.run(steps);
  }

  /** Reads by several statements that see one state. */
  readConsistently<Result>(steps: Steps<Result>): Result {
    return this.#reader.read(steps);
  }

  /**
   * Reads one row, or gives the one that was read before when nothing has changed it since.
   *
   * @param steps  what reads the row of the key
   */
  readRecent<Row extends object | undefined>(key: ReadKey, steps: () => Steps<Row>): Row {
    const known = this.#recent.find(key);
    if (known !== undefined) {
      return known as Row;
    }
    const row = this.read(steps());
    if (row !== undefined) {
      const { inline_content: bytes } = row as Partial<BlobRow>;
      this.#recent.keep(key, row, bytes?.length ?? 0);
    }
    return row;
  }

  /** See {@link MetadataWriter.write}. */
  async write<Name extends CommandName>(command: Name, input: CommandInput<Name>): Promise<CommandOutput<Name>> {
    try {
      return await this.#writer.write(command, input);
    } finally {
      this.#recent.forget(input);
    }
  }

  /** Resolves when every change that was handed in before has been decided. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  async close(): Promise<void> {
    await this.#writer.close();
    this.#reader.close();
  }
}
