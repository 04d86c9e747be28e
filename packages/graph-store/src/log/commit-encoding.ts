import { type Buffer } from "node:buffer";
import { ByteReader } from "../columns/byte-reader.ts";
import { ByteWriter } from "../columns/byte-writer.ts";
import { type LegacyChange } from "../indexes/legacy/legacy-change.ts";
import { type SchemaChange } from "../schema/definitions.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { type TokenNames, type Tokens } from "../tables/token-table.ts";
import { relationshipChangeOf, WriteSet } from "../transactions/write-set.ts";
import { NodeChange, type PropertyChanges, RelationshipChange } from "../versions/changes.ts";

const CREATED = 1;
const DELETED = 2;
const REMOVED = 0;
const SET = 1;

/** How many names of each table are in the log already. */
export interface TokenMarks {
  readonly labels: number;
  readonly relationshipTypes: number;
  readonly propertyKeys: number;
}

const TABLES = ["labels", "relationshipTypes", "propertyKeys"] as const;

export function tokenMarks(tokens: Tokens): TokenMarks {
  return {
    labels: tokens.labels.size,
    relationshipTypes: tokens.relationshipTypes.size,
    propertyKeys: tokens.propertyKeys.size,
  };
}

/** Names that came since `since`, whoever made them: a record stands for all ids that an earlier one may use. */
export function encodeTokens(tokens: Tokens, since: TokenMarks): Buffer {
  const out = new ByteWriter();
  for (const table of TABLES) {
    const names = tokens[table].namesFrom(since[table]);
    out.varint(since[table]);
    out.varint(names.length);
    names.forEach((name) => out.text(name));
  }
  return out.bytes();
}

/** A commit as the log has it; very old records don't say when they were written. */
export interface LoggedCommit {
  readonly changes: WriteSet;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly timeMs: number | undefined;
}

/** What a transaction did, by id; names are in {@link encodeTokens}, which goes before it. */
export function encodeChanges(changes: WriteSet, timeMs: number): Buffer {
  const out = new ByteWriter();
  out.varint(changes.nodes.size);
  for (const change of changes.nodes.values()) {
    out.varint(change.node);
    out.byte(flagsOf(change));
    encodeIds(out, change.labelsAdded);
    encodeIds(out, change.labelsRemoved);
    encodeProperties(out, change.properties);
  }
  out.varint(changes.relationships.size);
  for (const change of changes.relationships.values()) {
    out.varint(change.relationship);
    out.byte(flagsOf(change));
    if (change.created) {
      out.varint(change.start);
      out.varint(change.type);
      out.varint(change.end);
    }
    encodeProperties(out, change.properties);
  }
  // Each part came later than the one before: older records end earlier.
  out.text(changes.schema.length === 0 ? "" : JSON.stringify(changes.schema));
  out.text(changes.legacy.length === 0 ? "" : JSON.stringify(changes.legacy));
  out.varint(timeMs);
  return out.bytes();
}

/** The changes of a record; its names go into `tokens`. `base` has all that was committed before. */
export function decodeCommit(content: Buffer, tokens: Tokens, base: GraphBase): LoggedCommit {
  const source = new ByteReader(content);
  for (const table of TABLES) {
    decodeNames(source, tokens[table]);
  }
  const changes = new WriteSet();
  for (let left = source.varint(); left > 0; left--) {
    const change = decodeNode(source);
    changes.nodes.set(change.node, change);
  }
  for (let left = source.varint(); left > 0; left--) {
    const change = decodeRelationship(source, base);
    changes.addRelationship(change.relationship, change);
  }
  changes.schema = decodeList<SchemaChange>(source);
  changes.legacy = decodeList<LegacyChange>(source);
  return { changes, timeMs: source.atEnd ? undefined : source.varint() };
}

function decodeList<T>(source: ByteReader): T[] {
  const text = source.atEnd ? "" : source.text();
  return text === "" ? [] : (JSON.parse(text) as T[]);
}

function flagsOf(change: { readonly created: boolean; readonly deleted: boolean }): number {
  return (change.created ? CREATED : 0) | (change.deleted ? DELETED : 0);
}

function encodeIds(out: ByteWriter, ids: readonly number[]): void {
  out.varint(ids.length);
  for (const id of ids) {
    out.varint(id);
  }
}

function encodeProperties(out: ByteWriter, properties: PropertyChanges): void {
  const { keys, values } = properties;
  out.varint(keys.length);
  for (let at = 0; at < keys.length; at++) {
    const value = values[at];
    out.varint(keys[at] as number);
    out.byte(value === undefined ? REMOVED : SET);
    if (value !== undefined) {
      out.value(value);
    }
  }
}

function decodeNames(source: ByteReader, names: TokenNames): void {
  const first = source.varint();
  const count = source.varint();
  for (let id = first; id < first + count; id++) {
    const name = source.text();
    // A checkpoint may know names already that only a later record brings.
    if (id >= names.size) {
      names.idOf(name);
    }
  }
}

function decodeNode(source: ByteReader): NodeChange {
  const node = source.varint();
  const flags = source.byte();
  const change = new NodeChange(node, (flags & CREATED) !== 0);
  change.deleted = (flags & DELETED) !== 0;
  change.labelsAdded = decodeIds(source);
  change.labelsRemoved = decodeIds(source);
  decodeProperties(source, change.properties);
  return change;
}

function decodeRelationship(source: ByteReader, base: GraphBase): RelationshipChange {
  const relationship = source.varint();
  const flags = source.byte();
  const change =
    (flags & CREATED) === 0
      ? relationshipChangeOf(base, relationship)
      : new RelationshipChange(relationship, true, source.varint(), source.varint(), source.varint());
  change.deleted = (flags & DELETED) !== 0;
  decodeProperties(source, change.properties);
  return change;
}

function decodeIds(source: ByteReader): number[] {
  return Array.from({ length: source.varint() }, () => source.varint());
}

function decodeProperties(source: ByteReader, into: PropertyChanges): void {
  for (let left = source.varint(); left > 0; left--) {
    const key = source.varint();
    into.set(key, source.byte() === REMOVED ? undefined : source.value());
  }
}
