import { getHeapStatistics } from "node:v8";
import { StoreConflictError } from "../errors.ts";
import { type PropertyValue } from "../values/property-value.ts";

/** What changes take on the heap until they are committed, measured on 64-bit machines and rounded up. */
export const NODE_BYTES = 450;
export const RELATIONSHIP_BYTES = 600;
const PROPERTY_BYTES = 40;

/** The part of the heap that one transaction may take when nothing else is said, and all of them together. */
const TRANSACTION_PART = 1 / 3;
const TOGETHER_PART = 0.6;

/** What open transactions have written, all together: the sum that must fit into the heap. */
export class WriteMemory {
  readonly transactionBytes: number;
  readonly togetherBytes: number;
  usedBytes = 0;

  /** @param transactionBytes  0 for a third of the heap */
  constructor(transactionBytes: number) {
    const heapBytes = getHeapStatistics().heap_size_limit;
    this.transactionBytes = transactionBytes === 0 ? heapBytes * TRANSACTION_PART : transactionBytes;
    this.togetherBytes = heapBytes * TOGETHER_PART;
  }
}

/** One transaction's part of it. */
export class TransactionMemory {
  readonly #all: WriteMemory;
  #usedBytes = 0;

  constructor(all: WriteMemory) {
    this.#all = all;
  }

  /** @throws StoreConflictError  General.OutOfMemoryError, before it is taken */
  take(bytes: number): void {
    const { transactionBytes, togetherBytes, usedBytes } = this.#all;
    if (this.#usedBytes + bytes > transactionBytes) {
      throw outOfMemory(`One transaction may write about ${megabytes(transactionBytes)} MB before it is committed.`);
    }
    if (usedBytes + bytes > togetherBytes) {
      throw outOfMemory(`Open transactions have written about ${megabytes(togetherBytes)} MB: as much as they may.`);
    }
    this.#usedBytes += bytes;
    this.#all.usedBytes += bytes;
  }

  /** What was written is committed or gone. */
  release(): void {
    this.#all.usedBytes -= this.#usedBytes;
    this.#usedBytes = 0;
  }
}

/** Of one property that is set. */
export function propertyBytes(value: PropertyValue | undefined): number {
  return PROPERTY_BYTES + (value === undefined ? 0 : valueBytes(value));
}

function valueBytes(value: PropertyValue): number {
  switch (typeof value) {
    case "string":
      return 24 + value.length * 2;
    case "object":
      return Array.isArray(value)
        ? value.reduce((sum: number, one: PropertyValue) => sum + 8 + valueBytes(one), 16)
        : 80;
    default:
      return 8;
  }
}

function outOfMemory(message: string): StoreConflictError {
  return new StoreConflictError("TransientError.General.OutOfMemoryError", message);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
