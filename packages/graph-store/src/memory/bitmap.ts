/** Bit `index` of a bitmap of 32-bit words; bits beyond its end are 0. */
export function hasBit(words: Uint32Array, index: number): boolean {
  const word = words[index >>> 5];
  return word !== undefined && ((word >>> (index & 31)) & 1) === 1;
}

export function setBit(words: Uint32Array, index: number): void {
  words[index >>> 5] = (words[index >>> 5] as number) | (1 << (index & 31));
}

export function clearBit(words: Uint32Array, index: number): void {
  words[index >>> 5] = (words[index >>> 5] as number) & ~(1 << (index & 31));
}

export function wordsFor(bits: number): number {
  return (bits + 31) >>> 5;
}
