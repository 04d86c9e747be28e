import { type Expression } from "@trefoil/cypher";
import { floatOf } from "@trefoil/graph-store";
import {
  type BindContext,
  bindExpression,
  bindPredicate,
  type ExpressionPlace,
  getVariable,
  typeMismatch,
} from "./bind-context.ts";
import { bindCountStar, bindFunctionCall, listOfSame } from "./bind-function-call.ts";
import { bindListComprehension, bindQuantified, bindReduce } from "./bind-iteration.ts";
import { bindBinary, bindComparisonChain, bindUnary } from "./bind-operator.ts";
import { bindPatternComprehension, bindPatternExpression, bindSubqueryExpression } from "./bind-subquery.ts";
import { legacyElementType, unionOf } from "./legacy-types.ts";
import { bindTypePredicate } from "./bind-type-predicate.ts";
import { bindLabels } from "./bind-labels.ts";
import { type BoundExpression, type BoundMapProjectionItem } from "./bound-expression.ts";
import {
  anyType,
  elementTypeOf,
  booleanType,
  floatType,
  integerType,
  listOf,
  mapType,
  mayBe,
  nullType,
  stringType,
} from "./static-type.ts";

/**
 * Resolves names and checks types of an expression where it stands.
 *
 * @throws  QueryError of phase "compile time" for unknown names, types that cannot fit, misplaced aggregates and patterns
 */
export function bindExpressionTree(expression: Expression, place: ExpressionPlace): BoundExpression {
  const { context } = place;
  const bind = (inner: Expression): BoundExpression => bindExpression(inner, { ...place, predicate: false });
  const bindBound = (inner: Expression | undefined): BoundExpression | undefined => {
    const bound = inner === undefined ? undefined : bind(inner);
    if (inner !== undefined && bound !== undefined && context.mode === "2.3" && !mayBe(bound.type, "integer")) {
      throw typeMismatch(context, "Integer", bound.type, inner.position);
    }
    return bound;
  };
  switch (expression.kind) {
    case "NullLiteral":
      return { kind: "Literal", type: nullType, value: null };
    case "BooleanLiteral":
      return { kind: "Literal", type: booleanType, value: expression.value };
    case "IntegerLiteral":
      return { kind: "Literal", type: integerType, value: expression.value };
    case "FloatLiteral":
      return { kind: "Literal", type: floatType, value: floatOf(expression.value) };
    case "StringLiteral":
      return { kind: "Literal", type: stringType, value: expression.value };
    case "ListLiteral": {
      const items = expression.items.map(bind);
      const element = context.mode === "2.3" ? legacyElementType(items) : elementTypeOf(items);
      return { kind: "List", type: listOf(element), items };
    }
    case "MapLiteral":
      return {
        kind: "Map",
        type: mapType,
        entries: expression.entries.map(({ key, value }) => ({ key, value: bind(value) })),
      };
    case "Parameter":
      context.parameters.add(expression.name);
      return { kind: "Parameter", type: anyType, name: expression.name };
    case "Variable": {
      const variable = getVariable(place, expression.name, expression.position);
      return { kind: "VariableReference", type: variable.type, variable };
    }
    case "Unary":
      return bindUnary(expression, place);
    case "Binary":
      return bindBinary(expression, place);
    case "ComparisonChain":
      return bindComparisonChain(expression, place);
    case "IsNull":
      return { kind: "IsNull", type: booleanType, operand: bind(expression.operand), negated: expression.negated };
    case "TypePredicate":
      return bindTypePredicate(expression, bind(expression.operand));
    case "NormalizedPredicate":
      return {
        kind: "Normalized",
        type: booleanType,
        operand: bind(expression.operand),
        negated: expression.negated,
        form: expression.form,
      };
    case "LabelPredicate": {
      const subject = bind(expression.operand);
      if (context.mode === "2.3" && !mayBe(subject.type, "node")) {
        throw typeMismatch(context, "Node", subject.type, expression.operand.position);
      }
      if (!mayBe(subject.type, "node", "relationship")) {
        throw typeMismatch(context, "Node or Relationship", subject.type, expression.position);
      }
      return { kind: "HasLabels", type: booleanType, subject, labels: bindLabels(expression.labels, place) };
    }
    case "PropertyAccess": {
      const subject = bind(expression.subject);
      checkHasProperties(subject, expression, place);
      return { kind: "Property", type: anyType, subject, key: expression.key };
    }
    case "Subscript": {
      const subject = bind(expression.subject);
      const index = bind(expression.index);
      // In 2.3 brackets belong to lists only when what is in them is known to be an INTEGER.
      const isElement = subject.type.kind === "list" && (context.mode === "modern" || index.type.kind === "integer");
      const type = subject.type.kind === "list" && isElement ? subject.type.element : anyType;
      if (context.mode === "2.3") {
        checkLegacyLookup(expression, subject, index, context);
        if (expression.index.kind === "StringLiteral") {
          return { kind: "Property", type: anyType, subject, key: expression.index.value };
        }
      }
      return { kind: "Subscript", type, subject, index };
    }
    case "Slice": {
      const subject = bind(expression.subject);
      if (!mayBe(subject.type, "list") && (context.mode === "2.3" || !mayBe(subject.type, "string"))) {
        throw typeMismatch(context, `${context.typeName(listOf(anyType))}`, subject.type, expression.subject.position);
      }
      return {
        kind: "Slice",
        type: context.mode === "2.3" ? listOfSame(subject.type) : subject.type,
        subject,
        from: bindBound(expression.from),
        to: bindBound(expression.to),
      };
    }
    case "FunctionCall":
      return bindFunctionCall(expression, place);
    case "CountStar":
      return bindCountStar(expression, place);
    case "Case":
      return bindCase(expression, place);
    case "ListComprehension":
      return bindListComprehension(expression, place);
    case "QuantifiedPredicate":
      return bindQuantified(expression, place);
    case "Reduce":
      return bindReduce(expression, place);
    case "MapProjection": {
      const subject = bind(expression.subject);
      return {
        kind: "MapProjection",
        type: mapType,
        subject,
        items: expression.items.flatMap((item) => bindItem(item, subject, place)),
      };
    }
    case "PatternExpression":
      return bindPatternExpression(expression, place);
    case "PatternComprehension":
      return bindPatternComprehension(expression, place);
    case "SubqueryExpression":
      return bindSubqueryExpression(expression, place);
  }
}

/** In 2.3 a string in the brackets wants a map or entity before them; a list wants an INTEGER in them. */
function checkLegacyLookup(
  expression: Expression & { kind: "Subscript" },
  subject: BoundExpression,
  index: BoundExpression,
  context: BindContext,
): void {
  if (index.type.kind === "string" && !mayBe(subject.type, "map", "node", "relationship")) {
    throw typeMismatch(context, "Map, Node or Relationship", subject.type, expression.subject.position);
  }
  if (index.type.kind === "integer" && !mayBe(subject.type, "list", "map", "node", "relationship")) {
    throw typeMismatch(context, "Collection<T>", subject.type, expression.subject.position);
  }
  if (subject.type.kind === "list" && !mayBe(index.type, "integer")) {
    throw typeMismatch(context, "Integer", index.type, expression.index.position);
  }
  // Numbers in the brackets of a map are found out when it runs.
  if (subject.type.kind === "map" && !mayBe(index.type, "string", "integer")) {
    throw typeMismatch(context, "String", index.type, expression.index.position);
  }
}

function checkHasProperties(
  subject: BoundExpression,
  access: Expression & { kind: "PropertyAccess" },
  place: ExpressionPlace,
): void {
  const { context } = place;
  const { type } = subject;
  if (type.kind === "path" || (context.mode === "2.3" && !mayBe(type, "node", "relationship", "map"))) {
    throw typeMismatch(context, "Map, Node or Relationship", type, access.subject.position);
  }
  if (["boolean", "integer", "float", "number", "string", "list"].includes(type.kind)) {
    throw context.errors.type(
      `Type mismatch: expected Map, Node or Relationship but was ${context.typeName(type)}`,
      access.subject.position,
      "InvalidArgumentType",
    );
  }
}

function bindCase(expression: Expression & { kind: "Case" }, place: ExpressionPlace): BoundExpression {
  const value = { ...place, predicate: false };
  const subject = expression.subject === undefined ? undefined : bindExpression(expression.subject, value);
  const alternatives = expression.alternatives.map((alternative) => ({
    when: subject === undefined ? bindPredicate(alternative.when, place) : bindExpression(alternative.when, value),
    result: bindExpression(alternative.result, value),
  }));
  const otherwise: BoundExpression =
    expression.otherwise === undefined
      ? { kind: "Literal", type: nullType, value: null }
      : bindExpression(expression.otherwise, value);
  const results = alternatives.map((alternative) => alternative.result);
  const written = expression.otherwise === undefined ? results : [...results, otherwise];
  const type =
    place.context.mode === "2.3"
      ? unionOf(written.map((result) => result.type))
      : elementTypeOf([...results, otherwise]);
  return { kind: "Case", type, subject, alternatives, otherwise };
}

function bindItem(
  item: (Expression & { kind: "MapProjection" })["items"][number],
  subject: BoundExpression,
  place: ExpressionPlace,
): readonly BoundMapProjectionItem[] {
  switch (item.kind) {
    case "AllProperties":
      return [{ kind: "AllProperties" }];
    case "ProjectedProperty":
      return [{ kind: "Entry", key: item.key, value: { kind: "Property", type: anyType, subject, key: item.key } }];
    case "ProjectedEntry":
      return [{ kind: "Entry", key: item.key, value: bindExpression(item.value, { ...place, predicate: false }) }];
    case "ProjectedVariable":
      return [{ kind: "Entry", key: item.variable.name, value: bindExpression(item.variable, place) }];
  }
}
