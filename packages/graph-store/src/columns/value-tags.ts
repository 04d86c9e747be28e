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
/** Then the fields of the class in values/temporal-values.ts in their order, whole numbers as INTEGER values are. */
export const DATE = 8;
export const LOCAL_TIME = 9;
export const TIME = 10;
export const LOCAL_DATE_TIME = 11;
export const DATE_TIME = 12;
/** Months, days and nanoseconds, then the seconds in eight bytes. */
export const DURATION = 13;
/** System and count, then that many doubles. */
export const POINT = 14;
