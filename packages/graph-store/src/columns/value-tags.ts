/** The first byte of an encoded property value. On disk: a number is never given another meaning. */
export const FALSE = 0;
export const TRUE = 1;
/** Varint. */
export const INTEGER = 2;
/** Varint of -1 - value. */
export const NEGATIVE_INTEGER = 3;
/** Eight bytes, little-endian: beyond the safe integers. */
export const INT64 = 4;
/** IEEE double, little-endian. */
export const FLOAT = 5;
/** Header and bytes as columns/text.ts has them. */
export const TEXT = 6;
/** Count, then that many values. */
export const LIST = 7;
