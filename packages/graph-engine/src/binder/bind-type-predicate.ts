import { type TypeExpression, type TypePredicate } from "@trefoil/cypher";
import { type BoundExpression, type TypeTest } from "./bound-expression.ts";
import { booleanType } from "./static-type.ts";

/** `x IS [NOT] :: TYPE`. */
export function bindTypePredicate(predicate: TypePredicate, operand: BoundExpression): BoundExpression {
  return {
    kind: "TypePredicate",
    type: booleanType,
    operand,
    negated: predicate.negated,
    test: typeTest(predicate.type),
  };
}

function typeTest(type: TypeExpression): TypeTest {
  switch (type.kind) {
    case "NamedType":
      return { kind: "Named", name: type.name, notNull: type.notNull };
    case "ListType":
      return { kind: "List", element: typeTest(type.element), notNull: type.notNull };
    case "UnionType":
      return { kind: "Union", members: type.members.map(typeTest) };
  }
}
