import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { type Checkpoint, readCheckpoint } from "../checkpoint/checkpoint-reader.ts";
import { StoreCorruptionError } from "../errors.ts";
import { createLogFile, type LogPosition } from "../log/commit-log.ts";
import { incompatibleStore } from "../log/file-header.ts";
import { checkpointEpoch, isUnfinished, logNumber } from "../log/segment-names.ts";
import { readWhole, type StoreFiles } from "../log/store-files.ts";
import { GraphBase } from "../tables/graph-base.ts";
import { LegacyIndexes, type SavedLegacyIndexes } from "../indexes/legacy/legacy-indexes.ts";
import { type IndexEntries } from "../indexes/value-index.ts";
import { type SavedSchema, Schema } from "../schema/schema.ts";
import { type SavedTokens, Tokens } from "../tables/token-table.ts";
import { replayLogs } from "./replay.ts";

/** A graph that a store can begin with. */
export interface RecoveredGraph {
  readonly base: GraphBase;
  readonly tokens: Tokens;
  readonly schema: Schema;
  readonly legacy: LegacyIndexes;
  readonly epoch: number;
  /** Of indexes that are filled when they are first asked; all are filled at once when not said. */
  readonly indexEntries?: ReadonlyMap<string, IndexEntries> | undefined;
}

/** A store as its files have it. */
export interface RecoveredStore extends RecoveredGraph {
  readonly storeId: Buffer;
  readonly log: LogPosition;
}

/** Files by which the store of a 2.x server is known. */
const FOREIGN_STORE = "neostore";
/** Such files end in their kind and version. */
const FOREIGN_VERSION = /\w+ v[0-9A-Z]+\.[0-9A-Z]+\.[0-9]+\w*$/;

/**
 * The newest checkpoint that checks, then every commit that the logs have beyond it. Doing it again, also after being
 * stopped halfway, gives the same. An empty folder becomes a store.
 *
 * @param untilMs  commits after this time are left out and cut off
 *
 * @throws StartError  kind "store": another version's or another product's files (graph §1)
 * @throws StoreCorruptionError  when files don't check in a way that no crash leaves behind
 */
export async function recoverStore(files: StoreFiles, untilMs?: number): Promise<RecoveredStore> {
  const names = await files.names();
  for (const name of names.filter(isUnfinished)) {
    await files.remove(name);
  }
  const checkpoints = names.filter((name) => checkpointEpoch(name) !== undefined);
  const logs = names.filter((name) => logNumber(name) !== undefined);
  if (checkpoints.length === 0 && logs.length === 0) {
    await refuseForeign(files, names);
    return createStore(files);
  }
  const checkpoint = await newestCheckpoint(files, checkpoints);
  const base = new GraphBase(checkpoint?.sections);
  const tokens = new Tokens();
  if (checkpoint !== undefined) {
    tokens.restore(checkpoint.sections.json("tokens") as SavedTokens);
  }
  const schema = savedSchema(checkpoint);
  const legacy = savedLegacyIndexes(checkpoint);
  const replayed = await replayLogs(files, logs, { base, tokens, schema, legacy, header: checkpoint?.header }, untilMs);
  if (replayed === undefined) {
    // Only the first log was there, and nothing of it had reached the disk.
    return createStore(files);
  }
  return { base, tokens, legacy, ...replayed };
}

/** Checkpoints from before there was a schema have none. */
function savedSchema(checkpoint: Checkpoint | undefined): Schema {
  const saved = checkpoint?.sections.has("schema") === true ? checkpoint.sections.json("schema") : undefined;
  return saved === undefined ? Schema.empty : Schema.restore(saved as SavedSchema);
}

/** Likewise. */
function savedLegacyIndexes(checkpoint: Checkpoint | undefined): LegacyIndexes {
  const saved = checkpoint?.sections.has("legacy") === true ? checkpoint.sections.json("legacy") : undefined;
  return LegacyIndexes.restore(saved as SavedLegacyIndexes | undefined);
}

async function createStore(files: StoreFiles): Promise<RecoveredStore> {
  const storeId = randomBytes(16);
  const file = await createLogFile(files, 1, storeId, 0);
  return {
    storeId,
    base: new GraphBase(),
    tokens: new Tokens(),
    schema: Schema.empty,
    legacy: new LegacyIndexes(),
    epoch: 0,
    log: { file, number: 1, epoch: 0 },
  };
}

async function newestCheckpoint(files: StoreFiles, names: readonly string[]): Promise<Checkpoint | undefined> {
  let damage: StoreCorruptionError | undefined;
  for (const name of names.toReversed()) {
    try {
      return await readCheckpoint(files, name);
    } catch (error) {
      if (!(error instanceof StoreCorruptionError)) {
        throw error;
      }
      damage ??= error;
    }
  }
  if (damage !== undefined) {
    throw damage;
  }
  return undefined;
}

async function refuseForeign(files: StoreFiles, names: readonly string[]): Promise<void> {
  const foreign = names.find((name) => name.startsWith(FOREIGN_STORE));
  if (foreign !== undefined) {
    const bytes = await readWhole(files, foreign, (size) => Buffer.alloc(size));
    const version = FOREIGN_VERSION.exec(bytes.toString("latin1"))?.[0] ?? "unknown";
    throw incompatibleStore(path.join(files.directory, foreign), version);
  }
}
