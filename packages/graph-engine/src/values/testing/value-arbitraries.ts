import { floatOf, integerOf } from "@trefoil/graph-store";
import fc from "fast-check";
import { NodeValue, PathValue, RelationshipValue, type Value } from "../value.ts";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** INTEGERs over all 64 bits, many of them small or at an end. */
export const integers: fc.Arbitrary<number | bigint> = fc
  .oneof(
    fc.bigInt({ min: -3n, max: 3n }),
    fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
    fc.constantFrom(INT64_MIN, INT64_MAX, 2n ** 53n, 2n ** 53n - 1n, -(2n ** 53n)),
  )
  .map(integerOf);

/** FLOATs, whole ones, -0.0, NaN and infinities among them. */
export const floats: fc.Arbitrary<Value> = fc.oneof(fc.double(), fc.integer({ min: -3, max: 3 })).map(floatOf);

/** Values of every kind, nested a little. */
export const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    integers,
    floats,
    fc.string({ maxLength: 3 }),
    fc.constantFrom("\u0000", "\u0000s", "a", ""),
    fc.nat(2).map((id) => new NodeValue(id)),
    fc.nat(2).map((id) => new RelationshipValue(id)),
    fc.tuple(fc.nat(2), fc.nat(2)).map(([node, relationship]) => new PathValue([node, 0], [relationship])),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 2 })
      .map((object) => new Map(Object.entries(object))),
  ),
})).value;
