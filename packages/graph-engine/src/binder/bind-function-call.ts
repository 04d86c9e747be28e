import {
  type CountStar,
  type FunctionCall,
  type Mode,
  type NodePattern,
  type PathPattern,
  type PatternExpression,
} from "@trefoil/cypher";
import {
  type AggregateDefinition,
  arityOf,
  type FunctionDefinition,
  type ResultType,
  type SignatureType,
} from "../functions/function-definition.ts";
import { findNearestName } from "../functions/did-you-mean.ts";
import { bindExpression, type ExpressionPlace, typeMismatch } from "./bind-context.ts";
import { bindPatternExpression } from "./bind-subquery.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { someExpression } from "./expression-tree.ts";
import { legacyElementType } from "./legacy-types.ts";
import {
  anyType,
  booleanType,
  elementTypeOf,
  integerType,
  listOf,
  mayBe,
  nullType,
  numberType,
  type StaticType,
} from "./static-type.ts";
import { type Variable } from "./variable.ts";

/** A function of one row or an aggregate; `exists(…)` and `has(…)` are predicates with a syntax of their own. */
export function bindFunctionCall(call: FunctionCall, place: ExpressionPlace): BoundExpression {
  const { context } = place;
  const name = [...call.namespace, call.name].join(".");
  const only = call.arguments.length === 1 ? call.arguments[0] : undefined;
  if (only !== undefined && /^(exists|has)$/iu.test(name)) {
    if (only.kind === "PatternExpression" && !isHas(call)) {
      return bindPatternExpression(only, { ...place, predicate: true });
    }
    return bindPropertyExists(call, place);
  }
  const definition = context.functions.find(name, context.mode);
  if (definition === undefined) {
    throw unknownFunction(call, name, place);
  }
  checkArity(call, definition, place);
  return definition.aggregate ? bindAggregate(call, definition, place) : bindPlainCall(call, definition, place);
}

export function bindCountStar(expression: CountStar, place: ExpressionPlace): BoundExpression {
  checkAggregateAllowed("count", expression, place);
  return { kind: "Aggregate", type: integerType, name: "count", distinct: false, arguments: [] };
}

function bindPlainCall(call: FunctionCall, definition: FunctionDefinition, place: ExpressionPlace): BoundExpression {
  const bound = call.arguments.map((argument) => bindExpression(argument, { ...place, predicate: false }));
  checkArguments(call, definition, bound, place);
  noteLengths(call, definition, bound, place);
  const type = resultType(definition.returns, bound, place.context.mode);
  const called: BoundExpression = { kind: "Call", type, function: definition, arguments: bound };
  const counted =
    place.context.mode === "2.3" && /^(size|length)$/u.test(definition.name) ? call.arguments[0] : undefined;
  const node = counted?.kind === "PatternExpression" ? nodeOfDegree(counted, place) : undefined;
  return node === undefined ? called : unlessNull(node, called);
}

/** The node of `(n)-[:T]->()`, whose length 2.3 reads off the node, so that it is null for null. */
function nodeOfDegree({ path }: PatternExpression, { scope }: ExpressionPlace): Variable | undefined {
  const [left, relationship, right] = path.elements;
  const isPlain = (node: PathPattern["elements"][number] | undefined): node is NodePattern =>
    node?.kind === "NodePattern" && node.labels === undefined && node.properties === undefined;
  if (
    path.elements.length !== 3 ||
    !isPlain(left) ||
    !isPlain(right) ||
    relationship?.kind !== "RelationshipPattern" ||
    relationship.variable !== undefined ||
    relationship.length !== undefined ||
    relationship.properties !== undefined ||
    (left.variable === undefined) === (right.variable === undefined)
  ) {
    return undefined;
  }
  const node = scope.find((left.variable ?? right.variable)?.name ?? "");
  return node?.nullable === true ? node : undefined;
}

function unlessNull(variable: Variable, expression: BoundExpression): BoundExpression {
  const operand: BoundExpression = { kind: "VariableReference", type: variable.type, variable };
  const when: BoundExpression = { kind: "IsNull", type: booleanType, operand, negated: false };
  const result: BoundExpression = { kind: "Literal", type: nullType, value: null };
  return { kind: "Case", type: expression.type, alternatives: [{ when, result }], otherwise: expression };
}

/** `length` of a text or a list is called `size` since 2.3. */
function noteLengths(
  call: FunctionCall,
  definition: FunctionDefinition,
  bound: readonly BoundExpression[],
  { context }: ExpressionPlace,
): void {
  const [argument] = call.arguments;
  const kind = bound[0]?.type.kind;
  if (definition.name === "length" && argument !== undefined && kind !== "path") {
    context.lengthsOfOthers.push(argument.position);
  }
}

function bindAggregate(call: FunctionCall, definition: AggregateDefinition, place: ExpressionPlace): BoundExpression {
  const { context } = place;
  checkAggregateAllowed(definition.name, call, place);
  const bound = call.arguments.map((argument) =>
    bindExpression(argument, { ...place, aggregates: "nested", predicate: false }),
  );
  checkArguments(call, definition, bound, place);
  const random = (each: BoundExpression): boolean => each.kind === "Call" && !each.function.deterministic;
  if (context.mode === "modern" && bound.some((argument) => someExpression(argument, random))) {
    throw context.errors.syntax(
      "Can't use non-deterministic (random) functions inside of aggregate functions.",
      call.position,
      "NonConstantExpression",
    );
  }
  return {
    kind: "Aggregate",
    type: resultType(definition.returns, bound, context.mode),
    name: definition.name,
    distinct: call.distinct,
    arguments: bound,
  };
}

function checkAggregateAllowed(name: string, call: FunctionCall | CountStar, place: ExpressionPlace): void {
  const { errors } = place.context;
  if (place.aggregates === "nested") {
    const error = errors.syntaxWithoutPlace(
      "Can't use aggregate functions inside of aggregate functions.",
      call.position,
      "NestedAggregation",
    );
    // 2.3 looks at the types first.
    if (place.context.mode === "modern") {
      throw error;
    }
    place.context.laterErrors.push(error);
  }
  if (place.aggregates === "forbidden") {
    throw errors.syntax(
      `Invalid use of aggregating function ${name}(...) in this context`,
      call.position,
      "InvalidAggregation",
    );
  }
}

function isHas(call: FunctionCall): boolean {
  return /^has$/iu.test(call.name);
}

/** `exists(n.p)`, `has(n.p)`: a property, also one named by an expression. */
function bindPropertyExists(call: FunctionCall, place: ExpressionPlace): BoundExpression {
  const { context } = place;
  const [argument] = call.arguments;
  if (argument === undefined || (argument.kind !== "PropertyAccess" && argument.kind !== "Subscript")) {
    if (argument?.kind !== "PatternExpression") {
      call.arguments.forEach((each) => bindExpression(each, { ...place, predicate: false }));
    }
    const wanted = isHas(call) ? "is not a property" : "is not a property or pattern";
    throw context.errors.syntax(
      `Argument to ${isHas(call) || context.mode === "modern" ? call.name : `${call.name}(...)`} ${wanted}`,
      argument?.position ?? call.position,
      "InvalidArgumentType",
    );
  }
  const operand = bindExpression(argument, { ...place, predicate: false });
  const isThere: BoundExpression = { kind: "IsNull", type: booleanType, operand, negated: true };
  const owner =
    operand.kind === "Property" && operand.subject.kind === "VariableReference" ? operand.subject : undefined;
  // Of null nothing is known in 2.3, not even that it has no property.
  return context.mode === "2.3" && owner?.variable.nullable === true ? unlessNull(owner.variable, isThere) : isThere;
}

function unknownFunction(call: FunctionCall, name: string, place: ExpressionPlace): Error {
  const { context } = place;
  const suggestion = context.mode === "2.3" ? undefined : findNearestName(name, context.functions.names(context.mode));
  const hint = suggestion === undefined ? "" : ` (did you mean '${suggestion}'?)`;
  return context.errors.syntax(`Unknown function '${name}'${hint}`, call.position, "UnknownFunction");
}

function checkArity(
  call: FunctionCall,
  definition: FunctionDefinition | AggregateDefinition,
  place: ExpressionPlace,
): void {
  const { minimum, maximum } = arityOf(definition);
  const count = call.arguments.length;
  if (count < minimum || count > maximum) {
    if (place.context.mode === "2.3") {
      // Names that are not known are told before.
      call.arguments.forEach((argument) => bindExpression(argument, { ...place, predicate: false }));
    }
    const problem = count < minimum ? "Insufficient" : "Too many";
    const isKeyword = place.context.mode === "2.3" && /^(exists|has)$/iu.test(call.name);
    throw place.context.errors.syntax(
      `${problem} parameters for function '${isKeyword ? call.name.toUpperCase() : call.name}'`,
      call.position,
      "InvalidNumberOfArguments",
    );
  }
}

function checkArguments(
  call: FunctionCall,
  definition: FunctionDefinition | AggregateDefinition,
  bound: readonly BoundExpression[],
  place: ExpressionPlace,
): void {
  if (definition.checkedAtRuntime) {
    return;
  }
  bound.forEach((argument, index) => {
    const parameter = definition.parameters[Math.min(index, definition.parameters.length - 1)];
    const written = call.arguments[index];
    if (parameter === undefined || written === undefined || parameter.types.includes("any")) {
      return;
    }
    const kinds = parameter.types.flatMap((type) => (type === "any" ? [] : [type]));
    if (!mayBe(argument.type, ...kinds)) {
      throw typeMismatch(place.context, alternatives(parameter.types, place), argument.type, written.position);
    }
  });
}

function alternatives(types: readonly SignatureType[], place: ExpressionPlace): string {
  const { mode } = place.context;
  const scalars = types
    .filter((type) => type !== "list")
    .flatMap((type) =>
      type === "number"
        ? mode === "2.3"
          ? ["Float"]
          : ["Float", "Integer"]
        : [place.context.typeName(signatureType(type))],
    )
    .sort();
  const lists = types.includes("list") ? [mode === "2.3" ? "Collection<T>" : "List<T>"] : [];
  const names = [...scalars, ...lists];
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} or ${last}`;
}

function resultType(result: ResultType, bound: readonly BoundExpression[], mode: Mode): StaticType {
  if (result === "common") {
    return mode === "2.3" ? legacyElementType(bound) : elementTypeOf(bound);
  }
  if (result === "tailOf") {
    return listOfSame(bound[0]?.type);
  }
  if (typeof result === "string") {
    return signatureType(result);
  }
  if ("listOf" in result) {
    return listOf(signatureType(result.listOf));
  }
  if ("sameAs" in result) {
    return bound[result.sameAs]?.type ?? anyType;
  }
  if ("listOfArgument" in result) {
    return listOf(bound[result.listOfArgument]?.type ?? anyType);
  }
  const list = bound[result.elementOf]?.type;
  return list?.kind === "list" ? list.element : anyType;
}

/** The type of a part of a list. */
export function listOfSame(list: StaticType | undefined): StaticType {
  return list?.kind === "list" ? list : listOf(anyType);
}

function signatureType(type: SignatureType): StaticType {
  return type === "list" ? listOf(anyType) : type === "number" ? numberType : { kind: type };
}
