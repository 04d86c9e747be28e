import { Buffer } from "node:buffer";
import { StartError } from "@trefoil/base";
import { StoreCorruptionError } from "../errors.ts";
import { crc32c } from "./crc32c.ts";

/**
 * The first 64 bytes of every file of a store, little-endian:
 *
 * | at | bytes | what |
 * |---|---|---|
 * | 0 | 16 | "TREFOIL GRAPH" and zeros |
 * | 16 | 4 | format version of its kind |
 * | 20 | 4 | 1 log, 2 checkpoint |
 * | 24 | 16 | id of the store: files of another store are refused |
 * | 40 | 8 | epoch: the last commit before this log, or the last one in this checkpoint |
 * | 48 | 12 | zeros |
 * | 60 | 4 | CRC-32C of the bytes before |
 */
export interface FileHeader {
  readonly kind: "log" | "checkpoint";
  readonly storeId: Buffer;
  readonly epoch: number;
}

export const HEADER_BYTES = 64;
/** Files of this version or an older one are read. Checkpoints of version 1 had lists of neighbours (decisions/0197). */
export const FORMAT_VERSIONS: Readonly<Record<FileHeader["kind"], number>> = { log: 1, checkpoint: 2 };

const MAGIC = Buffer.from("TREFOIL GRAPH\0\0\0", "latin1");
const KINDS = ["log", "checkpoint"] as const;

export function encodeHeader(header: FileHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(FORMAT_VERSIONS[header.kind], 16);
  bytes.writeUInt32LE(KINDS.indexOf(header.kind) + 1, 20);
  header.storeId.copy(bytes, 24);
  bytes.writeBigUInt64LE(BigInt(header.epoch), 40);
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, 60)), 60);
  return bytes;
}

/**
 * @param file  its path, for the message
 * @throws StartError  for a file that is not ours or of a newer format version (graph §1)
 * @throws StoreCorruptionError  for one of ours whose header does not check
 */
export function decodeHeader(bytes: Buffer, file: string, kind: FileHeader["kind"]): FileHeader {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw incompatibleStore(file, "unknown", kind);
  }
  const version = bytes.readUInt32LE(16);
  if (version === 0 || version > FORMAT_VERSIONS[kind]) {
    throw incompatibleStore(file, versionName(version), kind);
  }
  if (crc32c(bytes.subarray(0, 60)) !== bytes.readUInt32LE(60) || KINDS[bytes.readUInt32LE(20) - 1] !== kind) {
    throw new StoreCorruptionError(`The header of '${file}' is damaged.`);
  }
  return {
    kind,
    storeId: Buffer.from(bytes.subarray(24, 40)),
    epoch: Number(bytes.readBigUInt64LE(40)),
  };
}

export function incompatibleStore(file: string, version: string, kind: FileHeader["kind"] = "checkpoint"): StartError {
  return new StartError(
    "store",
    `'${file}' has a store version number that we cannot upgrade from. ` +
      `Expected '${versionName(FORMAT_VERSIONS[kind])}' but file is version '${version}'.`,
  );
}

function versionName(version: number): string {
  return `trefoil-graph-${version}`;
}
