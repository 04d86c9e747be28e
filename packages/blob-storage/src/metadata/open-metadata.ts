import { type Clock } from "@trefoil/base";
import { openDatabase } from "@trefoil/database";
import { MetadataConnection } from "./connection.ts";
import { Metadata } from "./metadata.ts";
import { migrations } from "./migrations.ts";
import { openInProcessTarget } from "./writer/in-process-target.ts";
import { startThreadTarget } from "./writer/thread-target.ts";
import { MetadataWriter } from "./writer/writer.ts";

export interface OpenMetadataOptions {
  /** The database file; made when it isn't there. */
  readonly file: string;
  readonly clock: Clock;
  /** Where commits run; see decisions/0031. */
  readonly writer: "thread" | "in-process";
}

/**
 * Opens the metadata, bringing its schema up to date.
 *
 * @throws StartError `store` for a damaged, foreign or newer database
 */
export async function openMetadata({ file, clock, writer }: OpenMetadataOptions): Promise<Metadata> {
  const database = await openDatabase({ file, migrations, clock });
  await database.destroy();
  const target = writer === "thread" ? await startThreadTarget(file) : openInProcessTarget(file);
  return new Metadata(new MetadataConnection(file), new MetadataWriter(target, clock));
}
