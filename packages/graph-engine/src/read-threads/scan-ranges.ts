import { type IdRange, type ReadView, type TokenTables } from "@trefoil/graph-store";
import { type PartitionedScan } from "../logical-plan/operator.ts";

/** About `count` ranges that hold every id of the scan; those of a label have as many of its nodes each. */
export function scanRanges(
  scan: PartitionedScan,
  { base }: ReadView,
  tokens: TokenTables,
  count: number,
): readonly IdRange[] {
  switch (scan.kind) {
    case "AllNodesScan":
      return equalRanges(base.nodes.idLimit, count);
    case "AllRelationshipsScan":
      return equalRanges(base.relationships.idLimit, count);
    case "NodeByLabelScan": {
      const label = tokens.labels.find(scan.label);
      const bitmap = base.nodes.labelBitmap(label);
      return bitmap === undefined ? [] : rangesOfBitmap(bitmap, base.nodes.labelCount(label) / count);
    }
  }
}

function equalRanges(limit: number, count: number): readonly IdRange[] {
  const size = Math.ceil(limit / count / 32) * 32;
  return Array.from({ length: Math.ceil(limit / size) }, (_unused, index) => ({
    from: index * size,
    to: (index + 1) * size,
  }));
}

function rangesOfBitmap(words: Uint32Array, bitsEach: number): readonly IdRange[] {
  const ranges: IdRange[] = [];
  let from = 0;
  let bits = 0;
  for (let word = 0; word < words.length; word += 1) {
    bits += bitCount(words[word] as number);
    if (bits >= bitsEach || word === words.length - 1) {
      ranges.push({ from, to: (word + 1) * 32 });
      from = (word + 1) * 32;
      bits = 0;
    }
  }
  return ranges;
}

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
