import { type MetadataConnection } from "./connection.ts";
import { type Steps } from "./steps.ts";
import { type CommandInput, type CommandName, type CommandOutput } from "./writer/commands.ts";
import { type MetadataWriter } from "./writer/writer.ts";

/** The object store's metadata: reads on a connection of this thread, changes through the one writer. */
export class Metadata {
  readonly #reader: MetadataConnection;
  readonly #writer: MetadataWriter;

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

  /** See {@link MetadataWriter.write}. */
  write<Name extends CommandName>(command: Name, input: CommandInput<Name>): Promise<CommandOutput<Name>> {
    return this.#writer.write(command, input);
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
