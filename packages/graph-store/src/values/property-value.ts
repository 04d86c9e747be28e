import { type PointValue, type TemporalValue } from "./temporal-values.ts";
import { type WholeFloat } from "./whole-float.ts";

/** A value that is no list. INTEGER: safe `number` or `bigint` beyond; FLOAT: other `number`s or {@link WholeFloat}. */
export type PropertyScalar = boolean | number | bigint | string | WholeFloat | TemporalValue | PointValue;

/** What a property can hold: a scalar, or a list of scalars of one type. */
export type PropertyValue = PropertyScalar | readonly PropertyScalar[];
